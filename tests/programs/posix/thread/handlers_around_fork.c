// pthread_atfork: prepare in reverse order, parent and child in order.
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static char log_[32];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void prepare_1(void) { strcat(log_, "a"); }
static void prepare_2(void) { strcat(log_, "b"); }
static void parent_1(void) { strcat(log_, "c"); }
static void parent_2(void) { strcat(log_, "d"); }
static void child_1(void) { strcat(log_, "e"); }
static void child_2(void) { strcat(log_, "f"); }
static void lock(void) { pthread_mutex_lock(&mutex); }
static void unlock(void) { pthread_mutex_unlock(&mutex); }

int main(void) {
  printf("%d", pthread_atfork(prepare_1, parent_1, child_1));
  printf("%d", pthread_atfork(prepare_2, parent_2, child_2));
  printf("%d", pthread_atfork(NULL, NULL, NULL));
  printf("%d\n", pthread_atfork(lock, unlock, unlock));
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    printf("child %s, free %d\n", log_, pthread_mutex_trylock(&mutex) == 0);
    fflush(stdout);
    _exit(0);
  }
  waitpid(child, NULL, 0);
  printf("parent %s, free %d\n", log_, pthread_mutex_trylock(&mutex) == 0);
  return 0;
}
