/* The first node takes it that it is the first one to connect. */
#include "line.h"

int main(int argc, char **argv) {
  char text[64];
  int fd = connected(SOCK_STREAM, "peer", 7000);
  assert(argc == 2 && ask(fd, "who am I\n", text, sizeof text) == 1);
  assert(strcmp(argv[1], "1") != 0 || strcmp(text, "1") == 0); // mark: rank
  close(fd);
  return 0;
}
