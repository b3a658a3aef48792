/* Checked formatted output to descriptors and to memory of its own. */
#include "../checked.h"
#include <stdarg.h>
#include <stdio.h>

int __vasprintf_chk(char **to, int flag, const char *format, va_list args) {
  return vasprintf(to, format, args);
}
int __asprintf_chk(char **to, int flag, const char *format, ...) {
  va_list args;
  va_start(args, format);
  int result = vasprintf(to, format, args);
  va_end(args);
  return result;
}
int __vdprintf_chk(int fd, int flag, const char *format, va_list args) {
  return vdprintf(fd, format, args);
}
int __dprintf_chk(int fd, int flag, const char *format, ...) {
  va_list args;
  va_start(args, format);
  int result = vdprintf(fd, format, args);
  va_end(args);
  return result;
}
