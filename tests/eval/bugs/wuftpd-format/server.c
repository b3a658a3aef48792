/* A server for files, whose answers are lines with a number in front. One function writes all answers, and takes a
 * format as printf does. `SITE EXEC` says what it is about to do. */
#include <stdarg.h>

#include "../../../systems/sockets.h"

enum { LINE_MAX = 32 };

static int fd;

/* Sends an answer. */
static void reply(int number, const char *format, ...) {
  char text[128];
  va_list arguments;
  int length = snprintf(text, sizeof text, "%d ", number);
  va_start(arguments, format);
  length += vsnprintf(text + length, sizeof text - length - 2, format, arguments);
  va_end(arguments);
  strcat(text, "\r\n");
  write_all(fd, text, strlen(text));
  (void)length;
}

static void site_exec(const char *command) {
  if (command[0] == '/') {
    reply(550, "%s: not in a path", command);
    return;
  }
#ifdef REPAIRED
  reply(200, "%s", command);
#else
  reply(200, command);
#endif
}

/* Serves one line. Returns 0 at the end. */
static int serve(char *line) {
  if (strncmp(line, "SITE EXEC ", 10) == 0) {
    site_exec(line + 10);
  } else if (strncmp(line, "USER ", 5) == 0) {
    reply(230, "Guest login ok.");
  } else if (strcmp(line, "QUIT") == 0) {
    reply(221, "Goodbye.");
    return 0;
  } else {
    reply(500, "'%s': command not understood.", line);
  }
  return 1;
}

int main(void) {
  int listener = listening(2121);
  fd = accept(listener, NULL, NULL);
  assert(fd >= 0);
  FILE *lines = fdopen(fd, "r");
  char line[LINE_MAX];
  assert(lines != NULL);
  while (fgets(line, sizeof line, lines) != NULL) {
    line[strcspn(line, "\r\n")] = 0;
    if (!serve(line)) break;
  }
  fclose(lines);
  return 0;
}
