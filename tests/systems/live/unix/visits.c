/* Counts visits in a database, by its UNIX socket, and shows their number. */
#include <klee/klee.h>
#include <sys/un.h>

#include "../redis/resp.h"

/* Digits of the number, and the zero at its end. */
#ifndef DISPLAY_BYTES
#define DISPLAY_BYTES 2
#endif

static const char path[] = "/run/redis/redis.sock";

static int connected_locally(void) {
  struct sockaddr_un address = {.sun_family = AF_UNIX}, told;
  socklen_t size = sizeof told;
  strcpy(address.sun_path, path);
  int fd = socket(AF_UNIX, SOCK_STREAM, 0);
  assert(connect(fd, (struct sockaddr *)&address, sizeof address) == 0);
  assert(getpeername(fd, (struct sockaddr *)&told, &size) == 0);
  assert(told.sun_family == AF_UNIX && strcmp(told.sun_path, path) == 0);
  size = sizeof told;
  assert(getsockname(fd, (struct sockaddr *)&told, &size) == 0);
  assert(told.sun_family == AF_UNIX && size == sizeof told.sun_family);
  return fd;
}

int main(void) {
  char text[REPLY_BYTES], display[DISPLAY_BYTES];
  unsigned char is_group;
  klee_make_symbolic(&is_group, sizeof is_group, "is_group");
  int fd = connected_locally();
  request(fd, "INCRBY visits 5");
  reply(fd, text);
  assert(strcmp(text, ":5") == 0);
  request(fd, is_group ? "INCRBY visits 10" : "INCR visits");
  reply(fd, text);
  assert(strlen(text + 1) < sizeof display); // mark: display
  strcpy(display, text + 1);
  assert(strcmp(display, is_group ? "15" : "6") == 0);
  assert(shutdown(fd, SHUT_WR) == 0);
  assert(read(fd, text, 1) == 0);
  close(fd);
  return 0;
}
