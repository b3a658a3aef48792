//@ library: counter.c
//@ cflags: -pthread
//@ paths: 1
/* Threads that were there before a plugin is opened, and those that begin later, have its variables. */
#include <assert.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

int host_value = 1;
int host_add(int a, int b) { return a + b; }

static pthread_barrier_t barrier;
static int (*next)(void);
static void *library;

static void *early(void *unused) {
  pthread_barrier_wait(&barrier);
  pthread_barrier_wait(&barrier);
  int value = next();
  assert(value == 12 + 'b' && next() == 13 + 'b');
  assert(*(int *)dlsym(library, "of_thread") == 13);
  assert(dlsym(library, "nowhere") == NULL && dlerror() != NULL);
  return dlsym(library, "of_thread");
}

static void *late(void *unused) {
  assert(next() == 12 + 'b');
  return dlsym(library, "of_thread");
}

int main(void) {
  setvbuf(stdout, NULL, _IONBF, 0);
  pthread_t threads[2];
  void *places[2];
  pthread_barrier_init(&barrier, NULL, 2);
  pthread_create(&threads[0], NULL, early, NULL);
  pthread_barrier_wait(&barrier);
  library = dlopen(LIBRARY_counter, RTLD_NOW);
  next = (int (*)(void))dlsym(library, "next_of_thread");
  assert(next() == 12 + 'b');
  pthread_barrier_wait(&barrier);
  pthread_join(threads[0], &places[0]);
  pthread_create(&threads[1], NULL, late, NULL);
  pthread_join(threads[1], &places[1]);
  assert(dlsym(library, "of_thread") != places[0] && dlerror() == NULL);
  int (*add)(int) = (int (*)(int))dlsym(library, "add");
  add(1);
  pid_t child = fork();
  if (child == 0) {
    assert(dlopen(LIBRARY_counter, RTLD_NOW) == library);
    assert(add(10) == 11 && next() == 13 + 'b');
    _exit(3);
  }
  int status;
  waitpid(child, &status, 0);
  printf("%d %d\n", WEXITSTATUS(status), add(2));
  return 0;
}
