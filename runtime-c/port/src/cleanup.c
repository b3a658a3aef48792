/* Cleanup handlers that an exception passes: those of pthread_once, say, whose function has thrown. */
#include "pthread_impl.h"

/* The depth of the frame that a local variable belongs to. */
extern long __everett_frame_of(const void *variable);

/* Runs the handlers of all frames inside of the one of a depth. */
void __everett_end_cleanups(long depth) {
  pthread_t self = __pthread_self();
  struct __ptcb *handler;
  while ((handler = self->cancelbuf) && __everett_frame_of(handler) > depth) {
    self->cancelbuf = handler->__next;
    handler->__f(handler->__x);
  }
}
