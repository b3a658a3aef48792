/* Reads lines from a connection, as a server of a text protocol does, and answers each of them. */
#include <assert.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

static char stored[32];

static void answer(int fd, const char *text) {
  assert(write(fd, text, strlen(text)) == (ssize_t)strlen(text));
}

/* Returns 0 if the client wants to leave. */
static int execute(int fd, char *line) {
  char verb[32];
  strcpy(verb, line);
  char *argument = strchr(verb, ' ');
  if (argument != NULL)
    *argument++ = '\0';
  if (strcasecmp(verb, "quit") == 0)
    return 0;
  if (strcasecmp(verb, "get") == 0) {
    answer(fd, stored);
  } else if (strcasecmp(verb, "set") == 0 && argument != NULL) {
    strcpy(stored, argument);
    answer(fd, "stored\n");
  } else {
    answer(fd, "unknown\n");
  }
  return 1;
}

int main(void) {
  int listener = socket(AF_INET, SOCK_STREAM, 0);
  struct sockaddr_in own = {.sin_family = AF_INET, .sin_port = htons(7000)};
  assert(bind(listener, (struct sockaddr *)&own, sizeof own) == 0 && listen(listener, 1) == 0);
  int fd = accept(listener, NULL, NULL);
  char buffer[32];
  size_t filled = 0;
  for (;;) {
    char *end = memchr(buffer, '\n', filled);
    if (end == NULL) {
      ssize_t got = read(fd, buffer + filled, sizeof buffer - filled);
      if (got <= 0)
        break;
      filled += got;
      continue;
    }
    *end = '\0';
    if (end > buffer && end[-1] == '\r')
      end[-1] = '\0';
    if (!execute(fd, buffer))
      break;
    filled -= end + 1 - buffer;
    memmove(buffer, end + 1, filled);
  }
  close(fd);
  return 0;
}
