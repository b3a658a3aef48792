// Process-shared POSIX semaphores order parent and children.
#define _GNU_SOURCE
#include <semaphore.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

struct shared {
  sem_t ping, pong, mutex;
  int log[12], used, total;
};

int main(void) {
  struct shared *s = mmap(NULL, sizeof *s, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  printf("%d", sem_init(&s->ping, 1, 0));
  printf("%d", sem_init(&s->pong, 1, 0));
  printf("%d\n", sem_init(&s->mutex, 1, 1));
  fflush(stdout);
  if (fork() == 0) {
    for (int i = 0; i < 6; i++) {
      sem_wait(&s->ping);
      s->log[s->used++] = 100 + i;
      sem_post(&s->pong);
    }
    _exit(0);
  }
  for (int i = 0; i < 6; i++) {
    s->log[s->used++] = i;
    sem_post(&s->ping);
    sem_wait(&s->pong);
  }
  wait(NULL);
  for (int i = 0; i < s->used; i++)
    printf("%d ", s->log[i]);
  printf("\n");
  fflush(stdout);
  for (int child = 0; child < 3; child++)
    if (fork() == 0) {
      for (int i = 0; i < 50; i++) {
        sem_wait(&s->mutex);
        s->total++;
        sem_post(&s->mutex);
      }
      _exit(0);
    }
  for (int child = 0; child < 3; child++)
    wait(NULL);
  printf("%d\n", s->total);
  sem_destroy(&s->mutex);
  return 0;
}
