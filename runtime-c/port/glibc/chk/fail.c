/* What a program compiled with _FORTIFY_SOURCE does when it finds that it would write too much. */
#include <stdlib.h>
#include <unistd.h>
#include "../checked.h"

_Noreturn void __chk_fail(void) {
  static const char text[] = "*** buffer overflow detected ***: terminated\n";
  write(2, text, sizeof text - 1);
  abort();
}
