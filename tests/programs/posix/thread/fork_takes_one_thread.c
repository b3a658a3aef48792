// fork in a program with threads: the child has only the thread that called, with its own copy of all.
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static sem_t go, done;
static volatile int steps;

static void *stepper(void *none) {
  while (sem_wait(&go) == 0) {
    if (++steps == 3)
      break;
    sem_post(&done);
  }
  return none;
}

static void *forker(void *none) {
  pid_t child = fork();
  if (child == 0) {
    // Nobody is left to wait for `go`.
    sem_post(&go);
    usleep(2000);
    int value;
    sem_getvalue(&go, &value);
    pthread_t thread;
    pthread_create(&thread, NULL, stepper, NULL);
    sem_wait(&done);
    _exit(value * 10 + steps);
  }
  int status;
  waitpid(child, &status, 0);
  printf("child: %d\n", WEXITSTATUS(status));
  return none;
}

int main(void) {
  pthread_t first, second;
  sem_init(&go, 0, 0);
  sem_init(&done, 0, 0);
  pthread_create(&first, NULL, stepper, NULL);
  sem_post(&go);
  sem_wait(&done);
  printf("steps %d\n", steps);
  fflush(stdout);
  pthread_create(&second, NULL, forker, NULL);
  pthread_join(second, NULL);
  printf("steps %d\n", steps);
  sem_post(&go);
  sem_wait(&done);
  sem_post(&go);
  pthread_join(first, NULL);
  printf("steps %d\n", steps);
  return 0;
}
