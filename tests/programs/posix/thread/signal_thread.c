// One thread takes all signals by sigwait while the others work with them blocked.
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static sigset_t set;
static sem_t handled;
static int order[8], used;

static void *taker(void *none) {
  for (int taken = 0; taken != SIGTERM;) {
    if (sigwait(&set, &taken))
      break;
    order[used++] = taken;
    sem_post(&handled);
  }
  return none;
}

static void *sender(void *none) {
  int signals[] = {SIGUSR1, SIGUSR2, SIGUSR1, SIGHUP};
  for (int i = 0; i < 4; i++) {
    kill(getpid(), signals[i]);
    sem_wait(&handled);
  }
  return none;
}

int main(void) {
  pthread_t first, second;
  sem_init(&handled, 0, 0);
  sigemptyset(&set);
  int all[] = {SIGUSR1, SIGUSR2, SIGHUP, SIGTERM};
  for (int i = 0; i < 4; i++)
    sigaddset(&set, all[i]);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
  pthread_create(&first, NULL, taker, NULL);
  pthread_create(&second, NULL, sender, NULL);
  pthread_join(second, NULL);
  pthread_kill(first, SIGTERM);
  pthread_join(first, NULL);
  for (int i = 0; i < used; i++)
    printf("%d ", order[i]);
  printf("\n");
  return 0;
}
