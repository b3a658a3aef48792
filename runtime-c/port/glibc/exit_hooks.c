/* Functions that modules register for the end of the process, and of a thread. */
#include <pthread.h>
#include <stdlib.h>

int __cxa_at_quick_exit(void (*function)(void), void *object) { return at_quick_exit(function); }

struct call {
  void (*function)(void *);
  void *object;
  struct call *earlier;
};

static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void run(void *list) {
  for (struct call *call = list; call;) {
    struct call *earlier = call->earlier;
    /* The function may register more of them. */
    pthread_setspecific(key, earlier);
    call->function(call->object);
    free(call);
    call = pthread_getspecific(key);
  }
}
static void prepare(void) { pthread_key_create(&key, run); }

/* The thread that ends the process: its objects end before anything else does. */
void __everett_end_thread_objects(void) {
  pthread_once(&once, prepare);
  run(pthread_getspecific(key));
}

int __cxa_thread_atexit_impl(void (*function)(void *), void *object, void *module) {
  struct call *call = malloc(sizeof *call);
  if (!call)
    return -1;
  pthread_once(&once, prepare);
  *call = (struct call){function, object, pthread_getspecific(key)};
  return pthread_setspecific(key, call);
}
int __cxa_thread_atexit(void (*function)(void *), void *object, void *module) {
  return __cxa_thread_atexit_impl(function, object, module);
}
