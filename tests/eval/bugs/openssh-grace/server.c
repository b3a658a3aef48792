/* A server for log-ins, which ends a connection that takes too long: an alarm comes, and its handler tidies up and
 * ends the process. What has been found out of the client so far is in a structure, parts of which are replaced when
 * the client begins again. */
#include <signal.h>

#include "../../../systems/sockets.h"

enum { GRACE_SECONDS = 120, LINE_MAX = 32 };

struct context {
  char *user, *credentials;
  int is_valid;
};

static struct context context;

static void forget(char **text) {
  free(*text);
  *text = NULL;
}

static void cleanup(void) {
  forget(&context.user);
  forget(&context.credentials);
}

static void grace_over(int number) {
  (void)number;
#ifndef REPAIRED
  cleanup();
#endif
  _exit(1);
}

/* Keeps a copy of what the client says. */
static void replace(char **text, const char *said) {
  free(*text);
  *text = strdup(said);
  assert(*text != NULL);
}

/* Reads a line without its end. Returns 0 at the end of the connection. */
static int read_line(int fd, char *line) {
  size_t length = 0;
  while (length < LINE_MAX - 1 && read(fd, &line[length], 1) == 1 && line[length] != '\n') length++;
  line[length] = 0;
  return length > 0;
}

/* Returns whether the client may come in. */
static int authenticate(int fd) {
  char line[LINE_MAX];
  while (!context.is_valid && read_line(fd, line)) {
    switch (line[0]) {
    case 'u':
      replace(&context.user, line + 1);
      break;
    case 'c':
      replace(&context.credentials, line + 1);
      context.is_valid = context.user != NULL && strcmp(line + 1, "secret") == 0;
      break;
    default:
      return 0;
    }
  }
  return context.is_valid;
}

int main(void) {
  struct sigaction action = {.sa_handler = grace_over};
  int listener = listening(2222);
  int fd = accept(listener, NULL, NULL);
  assert(fd >= 0);
  assert(sigaction(SIGALRM, &action, NULL) == 0);
  alarm(GRACE_SECONDS);
  int is_valid = authenticate(fd);
  alarm(0);
  if (is_valid) write_all(fd, "welcome\n", 8);
  cleanup();
  close(fd);
  return 0;
}
