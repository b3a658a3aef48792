/* For functions such as syscall, which read more arguments than they were given.
 *
 * On a real machine that reads a register. The engine gives variable arguments an object of their own and
 * reports who reads beyond it; so these functions read zero for what is not there. */
#include_next <stdarg.h>

extern unsigned long klee_get_obj_size(void *);

#undef va_start
#define va_start(list, last)                                  \
  long everett_left = (__builtin_va_start(list, last),        \
                       klee_get_obj_size((list)->overflow_arg_area) / 8)
#undef va_arg
#define va_arg(list, type) (everett_left-- > 0 ? __builtin_va_arg(list, type) : (type)0)
