/* fcntl as programs for glibc call it. */
#include <fcntl.h>
#include <stdarg.h>

int fcntl64(int fd, int command, ...) {
  va_list args;
  va_start(args, command);
  unsigned long arg = va_arg(args, unsigned long);
  va_end(args);
  return fcntl(fd, command, arg);
}
