// Detached threads run on their own: made so, or later, or by themselves.
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

static sem_t done;
static int ran[3];

static void *work(void *slot) {
  *(int *)slot = 1;
  if (slot == &ran[2])
    pthread_detach(pthread_self());
  sem_post(&done);
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_attr_t attributes;
  int state;
  sem_init(&done, 0, 0);
  pthread_attr_init(&attributes);
  pthread_attr_getdetachstate(&attributes, &state);
  printf("%d\n", state == PTHREAD_CREATE_JOINABLE);
  printf("%d\n", pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED));
  pthread_attr_getdetachstate(&attributes, &state);
  printf("%d\n", state == PTHREAD_CREATE_DETACHED);
  printf("%d\n", pthread_create(&thread, &attributes, work, &ran[0]));
  sem_wait(&done);
  printf("%d\n", pthread_create(&thread, NULL, work, &ran[1]));
  printf("%d\n", pthread_detach(thread));
  sem_wait(&done);
  printf("%d\n", pthread_create(&thread, NULL, work, &ran[2]));
  sem_wait(&done);
  printf("%d%d%d\n", ran[0], ran[1], ran[2]);
  pthread_attr_destroy(&attributes);
  return 0;
}
