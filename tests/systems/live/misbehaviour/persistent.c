/* Connects again where a connection has ended, up to a thousand times. */
#include "line.h"

static int try_to_connect(void) {
  struct sockaddr_in peer = address_of("peer", 7000);
  int fd = socket(AF_INET, SOCK_STREAM, 0);
  if (connect(fd, (struct sockaddr *)&peer, sizeof peer) == 0) return fd;
  close(fd);
  return -1;
}

int main(void) {
  const char *questions[] = {"one\n", "two\n"};
  int attempts = 0;
  for (int i = 0; i < 2; attempts++) {
    assert(attempts < 1000);
    int fd = try_to_connect();
    char text[64];
    if (fd >= 0 && ask(fd, questions[i], text, sizeof text) > 0)
      i++;
    else
      sleep(1);
    close(fd);
  }
  return 0;
}
