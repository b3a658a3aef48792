/* The names of formatted input since C23. */
#include <stdarg.h>
#include <stdio.h>

#define FORWARD(call)     \
  va_list args;           \
  va_start(args, format); \
  int result = call;      \
  va_end(args);           \
  return result

int __isoc23_vsscanf(const char *s, const char *format, va_list args) { return vsscanf(s, format, args); }
int __isoc23_vfscanf(FILE *file, const char *format, va_list args) { return vfscanf(file, format, args); }
int __isoc23_vscanf(const char *format, va_list args) { return vscanf(format, args); }
int __isoc23_sscanf(const char *s, const char *format, ...) { FORWARD(vsscanf(s, format, args)); }
int __isoc23_fscanf(FILE *file, const char *format, ...) { FORWARD(vfscanf(file, format, args)); }
int __isoc23_scanf(const char *format, ...) { FORWARD(vscanf(format, args)); }
