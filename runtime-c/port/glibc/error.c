/* error(3) of glibc. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern char *__progname_full;
void (*error_print_progname)(void);
unsigned error_message_count;
int error_one_per_line;

static void begin(void) {
  fflush(stdout);
  if (error_print_progname)
    error_print_progname();
  else
    fprintf(stderr, "%s:", __progname_full);
}

static void end(int status, int number, const char *format, va_list args) {
  vfprintf(stderr, format, args);
  error_message_count++;
  if (number)
    fprintf(stderr, ": %s", strerror(number));
  fputc('\n', stderr);
  if (status)
    exit(status);
}

void error(int status, int number, const char *format, ...) {
  va_list args;
  va_start(args, format);
  begin();
  fputc(' ', stderr);
  end(status, number, format, args);
  va_end(args);
}

void error_at_line(int status, int number, const char *file, unsigned line, const char *format, ...) {
  static const char *last_file;
  static unsigned last_line;
  if (error_one_per_line && line == last_line && last_file && file && !strcmp(file, last_file))
    return;
  last_file = file;
  last_line = line;
  va_list args;
  va_start(args, format);
  begin();
  fprintf(stderr, "%s:%u: ", file ? file : "", line);
  end(status, number, format, args);
  va_end(args);
}
