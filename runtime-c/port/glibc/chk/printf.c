/* Checked formatted output. The flag asks for checks of the format, which musl makes none of. */
#include "../checked.h"
#include <stdarg.h>
#include <stdio.h>

#define FORWARD(call)         \
  va_list args;               \
  va_start(args, format);     \
  int result = call;          \
  va_end(args);               \
  return result

int __vsnprintf_chk(char *to, size_t n, int flag, size_t size, const char *format, va_list args) {
  fits(n, size);
  return vsnprintf(to, n, format, args);
}

int __snprintf_chk(char *to, size_t n, int flag, size_t size, const char *format, ...) {
  FORWARD(__vsnprintf_chk(to, n, flag, size, format, args));
}

/* Writes no more than fits and then ends, where the unchecked function would write beyond. */
int __vsprintf_chk(char *to, int flag, size_t size, const char *format, va_list args) {
  int need = vsnprintf(to, size > 0x7fffffff ? 0x7fffffff : size, format, args);
  if (need >= 0)
    fits((size_t)need + 1, size);
  return need;
}

int __sprintf_chk(char *to, int flag, size_t size, const char *format, ...) {
  FORWARD(__vsprintf_chk(to, flag, size, format, args));
}

int __vfprintf_chk(FILE *file, int flag, const char *format, va_list args) {
  return vfprintf(file, format, args);
}
int __vprintf_chk(int flag, const char *format, va_list args) { return vprintf(format, args); }
int __fprintf_chk(FILE *file, int flag, const char *format, ...) {
  FORWARD(vfprintf(file, format, args));
}
int __printf_chk(int flag, const char *format, ...) { FORWARD(vprintf(format, args)); }
