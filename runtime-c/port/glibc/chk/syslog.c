/* Checked messages to the system's log. */
#include "../checked.h"
#include <stdarg.h>
#include <syslog.h>

void __vsyslog_chk(int priority, int flag, const char *format, va_list args) {
  vsyslog(priority, format, args);
}
void __syslog_chk(int priority, int flag, const char *format, ...) {
  va_list args;
  va_start(args, format);
  vsyslog(priority, format, args);
  va_end(args);
}
