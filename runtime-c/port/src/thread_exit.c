/* The end of a thread by its own decision, or by a cancellation. */
#include "pthread_impl.h"

/* Destroys the local objects of all frames, and ends the thread; there only in programs with such objects
 * (cxx/unwind.cc). */
extern _Noreturn void __everett_leave_frames(void *result) __attribute__((__weak__));

_Noreturn void pthread_exit(void *result) {
  pthread_t self = __pthread_self();
  /* What destructors call is not cancelled again. */
  self->canceldisable = PTHREAD_CANCEL_DISABLE;
  self->cancelasync = 0;
  if (__everett_leave_frames)
    __everett_leave_frames(result);
  __pthread_exit(result);
}
