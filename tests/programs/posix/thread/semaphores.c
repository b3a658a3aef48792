// Semaphores: counts, EAGAIN, ETIMEDOUT, EOVERFLOW, EINVAL, and wake-ups of waiting threads.
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <time.h>

static sem_t items, done;
static int got;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static const char *name(int error) {
  switch (error) {
  case EAGAIN: return "EAGAIN";
  case ETIMEDOUT: return "ETIMEDOUT";
  case EOVERFLOW: return "EOVERFLOW";
  case EINVAL: return "EINVAL";
  default: return "other";
  }
}

static void say(const char *what, int result) { printf("%s: %s\n", what, result < 0 ? name(errno) : "ok"); }

static int value(sem_t *semaphore) {
  int value = -1;
  sem_getvalue(semaphore, &value);
  return value;
}

static void *take(void *none) {
  sem_wait(&items);
  pthread_mutex_lock(&mutex);
  got++;
  pthread_mutex_unlock(&mutex);
  sem_post(&done);
  return none;
}

int main(void) {
  sem_t full;
  struct timespec past = {0, 0}, soon, bad = {0, 1000000000};
  say("init", sem_init(&items, 0, 2));
  sem_init(&done, 0, 0);
  printf("%d\n", value(&items));
  say("wait", sem_wait(&items));
  say("try", sem_trywait(&items));
  say("try", sem_trywait(&items));
  printf("%d\n", value(&items));
  say("until the past", sem_timedwait(&items, &past));
  clock_gettime(CLOCK_REALTIME, &soon);
  soon.tv_nsec += 3000000;
  if (soon.tv_nsec >= 1000000000)
    soon.tv_sec++, soon.tv_nsec -= 1000000000;
  say("until soon", sem_timedwait(&items, &soon));
  say("bad time", sem_timedwait(&items, &bad));
  pthread_t threads[3];
  for (int i = 0; i < 3; i++)
    pthread_create(&threads[i], NULL, take, NULL);
  for (int i = 1; i <= 3; i++) {
    sem_post(&items);
    sem_wait(&done);
    printf("got %d\n", got);
  }
  for (int i = 0; i < 3; i++)
    pthread_join(threads[i], NULL);
  printf("%d\n", value(&items));
  say("too much", sem_init(&full, 0, (unsigned)INT_MAX + 1));
  say("the most", sem_init(&full, 0, INT_MAX));
  say("one more", sem_post(&full));
  say("destroy", sem_destroy(&full));
  return 0;
}
