/* exit(3) as musl has it, which also keeps the status, for on_exit(3). */
#include <stdlib.h>
#include "libc.h"

int __everett_exit_status;

static void nothing(void) {}
weak_alias(nothing, __funcs_on_exit);
weak_alias(nothing, __stdio_exit);
weak_alias(nothing, _fini);
weak_alias(nothing, __everett_dl_finish);
weak_alias(nothing, __everett_end_thread_objects);

/* Libraries that the program has opened finish before it does. */
static void finish(void) {
  __everett_dl_finish();
  _fini();
}
weak_alias(finish, __libc_exit_fini);

_Noreturn void exit(int code) {
  __everett_exit_status = code;
  __everett_end_thread_objects();
  __funcs_on_exit();
  __libc_exit_fini();
  __stdio_exit();
  _Exit(code);
}
