// Mutexes: recursive counts, error-checking tells EDEADLK and EPERM, trylock EBUSY, timedlock ETIMEDOUT.
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>

static const char *name(int error) {
  switch (error) {
  case 0: return "ok";
  case EBUSY: return "EBUSY";
  case EDEADLK: return "EDEADLK";
  case EPERM: return "EPERM";
  case ETIMEDOUT: return "ETIMEDOUT";
  case EINVAL: return "EINVAL";
  default: return "other";
  }
}

static void say(const char *what, int error) { printf("  %s: %s\n", what, name(error)); }

static void *stranger(void *mutex) {
  struct timespec past = {0, 0}, soon;
  clock_gettime(CLOCK_REALTIME, &soon);
  soon.tv_nsec += 2000000;
  if (soon.tv_nsec >= 1000000000)
    soon.tv_sec++, soon.tv_nsec -= 1000000000;
  say("stranger tries", pthread_mutex_trylock(mutex));
  say("stranger waits until the past", pthread_mutex_timedlock(mutex, &past));
  say("stranger waits a little", pthread_mutex_timedlock(mutex, &soon));
  return NULL;
}

static void *unlock(void *mutex) {
  say("stranger unlocks", pthread_mutex_unlock(mutex));
  return NULL;
}

static void in_thread(void *(*work)(void *), pthread_mutex_t *mutex) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, mutex);
  pthread_join(thread, NULL);
}

int main(void) {
  int kinds[] = {PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_RECURSIVE, PTHREAD_MUTEX_ERRORCHECK};
  const char *names[] = {"normal", "recursive", "errorcheck"};
  for (int i = 0; i < 3; i++) {
    pthread_mutex_t mutex;
    pthread_mutexattr_t attributes;
    int kind;
    pthread_mutexattr_init(&attributes);
    printf("%s %d", names[i], pthread_mutexattr_settype(&attributes, kinds[i]));
    pthread_mutexattr_gettype(&attributes, &kind);
    printf(" %d\n", kind == kinds[i]);
    pthread_mutex_init(&mutex, &attributes);
    say("lock", pthread_mutex_lock(&mutex));
    if (i > 0)
      say("lock again", pthread_mutex_lock(&mutex));
    say("try again", pthread_mutex_trylock(&mutex));
    in_thread(stranger, &mutex);
    if (i > 0)
      in_thread(unlock, &mutex);
    if (i == 1) {
      say("unlock", pthread_mutex_unlock(&mutex));
      say("unlock", pthread_mutex_unlock(&mutex));
      in_thread(stranger, &mutex);
    }
    say("unlock", pthread_mutex_unlock(&mutex));
    if (i > 0)
      say("unlock once more", pthread_mutex_unlock(&mutex));
    say("try", pthread_mutex_trylock(&mutex));
    pthread_mutex_unlock(&mutex);
    say("destroy", pthread_mutex_destroy(&mutex));
    pthread_mutexattr_destroy(&attributes);
  }
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  say("unknown kind", pthread_mutexattr_settype(&attributes, 99));
  return 0;
}
