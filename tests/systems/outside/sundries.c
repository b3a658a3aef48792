/* What is rarely called, and what fails without any fault. */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/sendfile.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile int handled;

static void handle(int signal, siginfo_t *details, void *context) {
  (void)context;
  handled = signal == SIGUSR1 ? -1 : details->si_value.sival_int;
}

static void *wait_a_while(void *unused) {
  sleep(2);
  return unused;
}

static void devices(void) {
  char zeros[4] = {1, 1, 1, 1};
  int null = open("/dev/null", O_RDWR), zero = open("/dev/zero", O_RDONLY), full = open("/dev/full", O_WRONLY);
  assert(write(null, "gone", 4) == 4 && read(null, zeros, 4) == 0);
  assert(read(zero, zeros, 4) == 4 && zeros[3] == 0);
  assert(write(full, "more", 4) < 0 && errno == ENOSPC);
  assert(close(null) == 0 && close(zero) == 0 && close(full) == 0);
}

static void counters(void) {
  uint64_t value;
  int counter = eventfd(0, 0);
  assert(eventfd_write(counter, 3) == 0 && eventfd_write(counter, 4) == 0);
  assert(eventfd_read(counter, &value) == 0 && value == 7 && close(counter) == 0);
}

static void copies(void) {
  int pair[2], from = open("from", O_RDWR | O_CREAT, 0600), to = open("to", O_RDWR | O_CREAT, 0600);
  char got[8] = {0};
  off_t at = 2;
  assert(write(from, "abcdef", 6) == 6 && socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0);
  assert(sendfile(pair[0], from, &at, 3) == 3 && at == 5 && read(pair[1], got, 8) == 3 && strcmp(got, "cde") == 0);
  assert(lseek(from, 0, SEEK_SET) == 0 && sendfile(to, from, NULL, 100) == 6);
  assert(lseek(from, 1, SEEK_SET) == 1 && copy_file_range(from, NULL, to, NULL, 2, 0) == 2);
  assert(pread(to, got, 8, 0) == 8 && memcmp(got, "abcdefbc", 8) == 0);
}

static void signals(void) {
  sigset_t set;
  struct signalfd_siginfo details;
  pthread_t thread;
  struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO};
  assert(sigaction(SIGUSR1, &action, NULL) == 0 && sigaction(SIGUSR2, &action, NULL) == 0);
  assert(pthread_kill(pthread_self(), SIGUSR1) == 0 && handled == -1);
  assert(sigqueue(getpid(), SIGUSR2, (union sigval){.sival_int = 9}) == 0 && handled == 9);
  sigemptyset(&set);
  sigaddset(&set, SIGTERM);
  assert(sigprocmask(SIG_BLOCK, &set, NULL) == 0);
  int descriptor = signalfd(-1, &set, 0);
  assert(raise(SIGTERM) == 0 && read(descriptor, &details, sizeof details) == sizeof details);
  assert(details.ssi_signo == SIGTERM && close(descriptor) == 0);
  assert(pthread_create(&thread, NULL, wait_a_while, NULL) == 0);
  assert(pthread_tryjoin_np(thread, NULL) == EBUSY);
  struct timespec soon;
  assert(clock_gettime(CLOCK_REALTIME, &soon) == 0);
  assert(pthread_timedjoin_np(thread, NULL, &soon) == ETIMEDOUT);
  soon.tv_sec++;
  assert(pthread_timedjoin_np(thread, NULL, &soon) == ETIMEDOUT);
  soon.tv_sec += 10;
  assert(pthread_timedjoin_np(thread, NULL, &soon) == 0);
}

/* The name is looked for where it is not, and then where it is. */
static int programs(char *name) {
  int status;
  char path[64] = "/nowhere:";
  assert(getcwd(path + strlen(path), sizeof path - strlen(path)) && setenv("PATH", path, 1) == 0);
  pid_t child = fork();
  if (child == 0) {
    char *again[] = {name, "again", NULL};
    assert(execv("/nothing", again) < 0 && errno == ENOENT);
    assert(execvp("nothing", again) < 0 && errno == ENOENT);
    execlp(name, name, "again", (char *)NULL);
    _exit(1);
  }
  assert(waitpid(child, &status, 0) == child);
  return WEXITSTATUS(status);
}

int main(int argc, char **argv) {
  if (argc > 1) return 5;
  devices();
  counters();
  copies();
  signals();
  assert(programs(argv[0]) != 5); // mark: guilty
  return 0;
}
