/* For functions that are called when a program was compiled with _FORTIFY_SOURCE. */
#define _GNU_SOURCE
#include <stddef.h>

_Noreturn void __chk_fail(void);

/* Ends the program when `need` bytes do not fit into an object of `size` bytes. */
static inline void fits(size_t need, size_t size) {
  if (need > size)
    __chk_fail();
}
