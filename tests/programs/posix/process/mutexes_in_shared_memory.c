// Process-shared mutex, condition variable and barrier between parent and children.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

struct shared {
  pthread_mutex_t mutex;
  pthread_cond_t changed;
  pthread_barrier_t barrier;
  int turn, log[9], used, serial;
};

static void take_turns(struct shared *s, int me) {
  int last = pthread_barrier_wait(&s->barrier) == PTHREAD_BARRIER_SERIAL_THREAD;
  for (int i = 0; i < 3; i++) {
    pthread_mutex_lock(&s->mutex);
    s->serial += i == 0 && last;
    while (s->turn != me)
      pthread_cond_wait(&s->changed, &s->mutex);
    s->log[s->used++] = me;
    s->turn = (me + 1) % 3;
    pthread_cond_broadcast(&s->changed);
    pthread_mutex_unlock(&s->mutex);
  }
}

int main(void) {
  struct shared *s = mmap(NULL, sizeof *s, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  pthread_mutexattr_t mutex;
  pthread_condattr_t changed;
  pthread_barrierattr_t barrier;
  pthread_mutexattr_init(&mutex);
  pthread_condattr_init(&changed);
  pthread_barrierattr_init(&barrier);
  printf("%d\n", pthread_mutexattr_setpshared(&mutex, PTHREAD_PROCESS_SHARED));
  printf("%d\n", pthread_condattr_setpshared(&changed, PTHREAD_PROCESS_SHARED));
  printf("%d\n", pthread_barrierattr_setpshared(&barrier, PTHREAD_PROCESS_SHARED));
  pthread_mutex_init(&s->mutex, &mutex);
  pthread_cond_init(&s->changed, &changed);
  pthread_barrier_init(&s->barrier, &barrier, 3);
  fflush(stdout);
  for (int i = 1; i < 3; i++)
    if (fork() == 0) {
      take_turns(s, i);
      _exit(0);
    }
  take_turns(s, 0);
  wait(NULL);
  wait(NULL);
  for (int i = 0; i < s->used; i++)
    printf("%d ", s->log[i]);
  printf("serial %d\n", s->serial);
  return 0;
}
