/* A web server with a pool of handles for a database. A request that finds the pool empty waits for a handle, for as
 * long as an administrator has set on the control port; a very large number means for ever. Times are seconds in 32
 * bits. */
#include <stdint.h>
#include <time.h>

#include "../../../systems/sockets.h"

enum { HANDLES = 1, LINE_MAX = 32 };

static int32_t max_wait = 30;
static int free_handles = HANDLES;

static int32_t now(void) { return (int32_t)time(NULL); }

/* The moment until which a request may wait. */
static int32_t wait_end(void) {
#ifdef REPAIRED
  if (max_wait > INT32_MAX - now()) return INT32_MAX;
#endif
  return now() + max_wait;
}

/* Takes a handle. Returns 0 if there is none in time; all are given back at most two seconds later here. */
static int take_handle(void) {
  int32_t end = wait_end();
  for (int waited = 0; free_handles == 0; waited++) {
    if (now() >= end) return 0;
    sleep(1);
    if (waited == 1) free_handles++;
  }
  free_handles--;
  return 1;
}

/* Reads a number of seconds. Returns -1 if it is none, or too large. */
static int32_t parse_seconds(const char *text) {
  int64_t seconds = 0;
  if (*text == 0) return -1;
  for (; *text != 0; text++) {
    if (*text < '0' || *text > '9') return -1;
    seconds = seconds * 10 + (*text - '0');
    if (seconds > INT32_MAX) return -1;
  }
  return (int32_t)seconds;
}

/* Reads a line without its end. Returns 0 if there is none. */
static int read_line(int fd, char *line) {
  size_t length = 0;
  while (length < LINE_MAX - 1 && read(fd, &line[length], 1) == 1 && line[length] != '\n') length++;
  line[length] = 0;
  return length > 0;
}

static void serve(int fd) {
  char line[LINE_MAX];
  while (read_line(fd, line)) {
    if (strncmp(line, "maxwait ", 8) == 0) {
      int32_t seconds = parse_seconds(line + 8);
      if (seconds >= 0) max_wait = seconds;
      write_all(fd, seconds >= 0 ? "set\n" : "bad\n", 4);
    } else if (strcmp(line, "query") == 0) {
      const char *answer = take_handle() ? "row\n" : "late\n";
      write_all(fd, answer, strlen(answer));
    } else {
      return;
    }
  }
}

int main(void) {
  int listener = listening(8000);
  for (;;) {
    int fd = accept(listener, NULL, NULL);
    assert(fd >= 0);
    serve(fd);
    close(fd);
  }
}
