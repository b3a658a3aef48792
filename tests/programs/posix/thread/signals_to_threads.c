// Masks are each thread's own; pthread_kill reaches one thread, kill one that does not block.
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

static pthread_t ran_in;
static volatile sig_atomic_t caught;
static sem_t ready, leave;

static void handler(int signal_) {
  (void)signal_;
  ran_in = pthread_self();
  caught++;
  sem_post(&leave);
}

static int blocked(int signal_) {
  sigset_t mask;
  pthread_sigmask(SIG_BLOCK, NULL, &mask);
  return sigismember(&mask, signal_);
}

static void *listener(void *open) {
  sigset_t one;
  sigemptyset(&one);
  sigaddset(&one, SIGUSR1);
  int before = blocked(SIGUSR1);
  if (open)
    pthread_sigmask(SIG_UNBLOCK, &one, NULL);
  sem_post(&ready);
  while (sem_wait(&leave))
    continue;
  return (void *)(intptr_t)(before * 10 + blocked(SIGUSR1));
}

int main(void) {
  sigset_t one, pending;
  struct sigaction action = {.sa_handler = handler};
  pthread_t open, closed;
  void *result;
  sem_init(&ready, 0, 0);
  sem_init(&leave, 0, 0);
  sigaction(SIGUSR1, &action, NULL);
  sigemptyset(&one);
  sigaddset(&one, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &one, NULL);
  pthread_create(&open, NULL, listener, (void *)1);
  sem_wait(&ready);
  printf("main blocked %d\n", blocked(SIGUSR1));
  printf("pthread_kill %d\n", pthread_kill(open, SIGUSR1));
  pthread_join(open, &result);
  printf("in the thread %d, masks %02d\n", pthread_equal(ran_in, open) != 0, (int)(intptr_t)result);

  pthread_create(&open, NULL, listener, (void *)1);
  sem_wait(&ready);
  kill(getpid(), SIGUSR1);
  pthread_join(open, &result);
  printf("kill: in the thread %d, caught %d\n", pthread_equal(ran_in, open) != 0, (int)caught);

  pthread_create(&closed, NULL, listener, NULL);
  sem_wait(&ready);
  pthread_kill(closed, SIGUSR1);
  sigpending(&pending);
  printf("pending here %d\n", sigismember(&pending, SIGUSR1));
  kill(getpid(), SIGUSR1);
  sigpending(&pending);
  printf("pending for all %d\n", sigismember(&pending, SIGUSR1));
  sem_post(&leave);
  pthread_join(closed, &result);
  printf("masks %02d, caught %d\n", (int)(intptr_t)result, (int)caught);
  pthread_sigmask(SIG_UNBLOCK, &one, NULL);
  printf("caught %d in main %d\n", (int)caught, pthread_equal(ran_in, pthread_self()) != 0);
  printf("%s\n", pthread_kill(pthread_self(), 65) == EINVAL ? "EINVAL" : "other");
  printf("%d\n", pthread_kill(pthread_self(), 0));
  printf("%s\n", pthread_sigmask(99, &one, NULL) == EINVAL ? "EINVAL" : "other");
  return 0;
}
