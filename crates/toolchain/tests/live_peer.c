/* A peer that answers letters: about its clock, its random bytes, and how it waits. It closes a connection on
   which nothing was said for a second. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static char answer[512];

static long long nanoseconds(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return now.tv_sec * 1000000000LL + now.tv_nsec;
}

static void tell_time(void) {
  struct timeval now;
  gettimeofday(&now, NULL);
  sprintf(answer, "%lld %lld %lld %ld.%06ld\n", nanoseconds(CLOCK_REALTIME), nanoseconds(CLOCK_MONOTONIC),
          (long long)time(NULL), (long)now.tv_sec, (long)now.tv_usec);
}

static void tell_random(void) {
  unsigned words[4];
  getrandom(&words[0], sizeof words[0], 0);
  getentropy(&words[1], sizeof words[1]);
  FILE *device = fopen("/dev/urandom", "r");
  if (fread(&words[2], sizeof words[2], 1, device) != 1) abort();
  fclose(device);
  int fd = open("/dev/random", O_RDONLY);
  if (read(fd, &words[3], sizeof words[3]) != sizeof words[3]) abort();
  close(fd);
  sprintf(answer, "%08x %08x %08x %08x\n", words[0], words[1], words[2], words[3]);
}

/* A tenth of a second from now on. */
static struct timespec soon(clockid_t clock) {
  long long then = nanoseconds(clock) + 100000000;
  return (struct timespec){then / 1000000000, then % 1000000000};
}

/* Waits four times until a deadline, and says how often it has passed. */
static void wait_for_deadlines(void) {
  static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  static pthread_cond_t by_date = PTHREAD_COND_INITIALIZER;
  pthread_cond_t by_clock;
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  pthread_cond_init(&by_clock, &attributes);
  sem_t semaphore;
  sem_init(&semaphore, 0, 0);
  int passed = 0;
  pthread_mutex_lock(&mutex);
  struct timespec deadline = soon(CLOCK_REALTIME);
  passed += pthread_cond_timedwait(&by_date, &mutex, &deadline) == ETIMEDOUT;
  deadline = soon(CLOCK_MONOTONIC);
  passed += pthread_cond_timedwait(&by_clock, &mutex, &deadline) == ETIMEDOUT;
  pthread_mutex_unlock(&mutex);
  deadline = soon(CLOCK_REALTIME);
  passed += sem_timedwait(&semaphore, &deadline) == -1 && errno == ETIMEDOUT;
  deadline = soon(CLOCK_MONOTONIC);
  passed += clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &deadline, NULL) == 0;
  sprintf(answer, "%d passed\n", passed);
}

static void sleep_a_little(void) {
  long long before = nanoseconds(CLOCK_MONOTONIC);
  usleep(50000);
  sprintf(answer, "%lld\n", nanoseconds(CLOCK_MONOTONIC) - before);
}

static void serve(int fd) {
  long long heard = nanoseconds(CLOCK_MONOTONIC);
  for (;;) {
    struct pollfd wanted = {fd, POLLIN, 0};
    char letter;
    if (poll(&wanted, 1, 20) == 0) {
      if (nanoseconds(CLOCK_MONOTONIC) - heard > 1000000000) return;
      continue;
    }
    if (read(fd, &letter, 1) != 1) return;
    heard = nanoseconds(CLOCK_MONOTONIC);
    switch (letter) {
    case 't': tell_time(); break;
    case 'r': tell_random(); break;
    case 's': sleep_a_little(); break;
    case 'w': wait_for_deadlines(); break;
    }
    if (write(fd, answer, strlen(answer)) < 0) return;
  }
}

int main(int count, char **arguments) {
  int listener = socket(AF_INET, SOCK_STREAM, 0);
  struct sockaddr_in self = {.sin_family = AF_INET, .sin_port = htons(count > 1 ? atoi(arguments[1]) : 0)};
  self.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (bind(listener, (struct sockaddr *)&self, sizeof self) != 0 || listen(listener, 1) != 0) return 1;
  for (;;) {
    int fd = accept(listener, NULL, NULL);
    serve(fd);
    close(fd);
  }
}
