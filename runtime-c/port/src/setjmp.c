/* Jumping back with the mask of signals.
 *
 * setjmp, sigsetjmp and longjmp are the engine's. sigsetjmp leaves in the buffer whether the mask was
 * saved, and the mask. */
#include <setjmp.h>
#include <signal.h>
#include "syscall.h"

_Noreturn void siglongjmp(sigjmp_buf buffer, int value) {
  if (buffer->__fl)
    __syscall(SYS_rt_sigprocmask, SIG_SETMASK, buffer->__ss, 0, _NSIG / 8);
  longjmp(buffer, value);
}
