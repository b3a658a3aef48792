// Deferred cancellation at read, nanosleep, cond_wait, sem_wait and testcancel; disabled; handlers run.
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static sem_t started, go, empty;
static int ends[2], held;
static char trace[64];
static int used;

static void note(void *letter) { trace[used++] = *(const char *)letter; }

static void unlock(void *none) {
  (void)none;
  held = pthread_mutex_trylock(&mutex) == EBUSY;
  pthread_mutex_unlock(&mutex);
}

static void *in_read(void *none) {
  char byte;
  pthread_cleanup_push(note, "a");
  pthread_cleanup_push(note, "b");
  sem_post(&started);
  if (read(ends[0], &byte, 1) >= 0)
    note("!");
  pthread_cleanup_pop(0);
  pthread_cleanup_pop(0);
  return none;
}

static void *in_sleep(void *none) {
  struct timespec long_ = {1000, 0};
  pthread_cleanup_push(note, "c");
  sem_post(&started);
  nanosleep(&long_, NULL);
  pthread_cleanup_pop(0);
  return none;
}

static void *in_condition(void *none) {
  pthread_mutex_lock(&mutex);
  pthread_cleanup_push(unlock, NULL);
  sem_post(&started);
  for (;;)
    pthread_cond_wait(&never, &mutex);
  pthread_cleanup_pop(0);
  return none;
}

static void *in_semaphore(void *none) {
  sem_post(&started);
  sem_wait(&empty);
  return none;
}

static void *asked(void *none) {
  int old;
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old);
  sem_post(&started);
  sem_wait(&go);
  pthread_testcancel();
  note(old == PTHREAD_CANCEL_ENABLE ? "d" : "!");
  pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &old);
  note(old == PTHREAD_CANCEL_DISABLE ? "e" : "!");
  pthread_cleanup_push(note, "f");
  pthread_testcancel();
  note("!");
  pthread_cleanup_pop(0);
  return none;
}

static void *finishes(void *none) {
  pthread_cleanup_push(note, "g");
  pthread_cleanup_push(note, "h");
  pthread_cleanup_pop(1);
  sem_post(&started);
  pthread_cleanup_pop(0);
  return none;
}

static void try(const char *what, void *(*work)(void *)) {
  pthread_t thread;
  void *result;
  used = 0;
  pthread_create(&thread, NULL, work, NULL);
  sem_wait(&started);
  if (work != finishes)
    pthread_cancel(thread);
  if (work == asked)
    sem_post(&go);
  pthread_join(thread, &result);
  printf("%s: %s [%.*s]\n", what, result == PTHREAD_CANCELED ? "cancelled" : "returned", used, trace);
}

int main(void) {
  sem_init(&started, 0, 0);
  sem_init(&go, 0, 0);
  sem_init(&empty, 0, 0);
  if (pipe(ends))
    return 1;
  try("read", in_read);
  try("nanosleep", in_sleep);
  try("cond_wait", in_condition);
  printf("the mutex was held %d, is free %d\n", held, pthread_mutex_trylock(&mutex) == 0);
  try("sem_wait", in_semaphore);
  try("disabled, then asked", asked);
  try("not cancelled", finishes);
  int old;
  printf("%d", pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &old));
  printf(" %d", old == PTHREAD_CANCEL_DEFERRED);
  printf(" %d", pthread_setcanceltype(99, &old) == EINVAL);
  printf(" %d\n", pthread_setcancelstate(99, &old) == EINVAL);
  return 0;
}
