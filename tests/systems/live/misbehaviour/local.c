/* Reaches the peer by a UNIX socket, which is refused when the peer does not listen any more. */
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/un.h>

#include "line.h"

static int connect_to(int fd, const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  strcpy(address.sun_path, path);
  return connect(fd, (struct sockaddr *)&address, sizeof address);
}

int main(void) {
  char text[64];
  struct stat status;
  assert(stat("/run/peer", &status) == 0 && S_ISSOCK(status.st_mode));
  int fd = socket(AF_UNIX, SOCK_STREAM, 0), datagrams = socket(AF_UNIX, SOCK_DGRAM, 0);
  assert(connect_to(fd, "/run/other") == -1 && errno == ENOENT);
  assert(connect_to(datagrams, "/run/peer") == -1 && errno == EPROTOTYPE);
  assert(connect_to(fd, "/run/peer") == 0);
  assert(connect_to(fd, "/run/peer") == -1 && errno == EISCONN);
  assert(ask(fd, "one\n", text, sizeof text) > 0);
  assert(strcmp(text, "answer to one") == 0);
  int other = socket(AF_UNIX, SOCK_STREAM, 0);
  assert(connect_to(other, "/run/peer") == -1 && errno == ECONNREFUSED);
  assert(fcntl(other, F_SETFL, O_NONBLOCK) == 0);
  assert(connect_to(other, "/run/peer") == -1 && errno == ECONNREFUSED);
  assert(ask(fd, "two\n", text, sizeof text) > 0);
  close(fd);
  close(other);
  assert(unlink("/run/peer") == -1 && errno == EACCES);
  return 0;
}
