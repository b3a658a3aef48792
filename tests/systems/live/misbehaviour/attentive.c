/* Passes over what it has not asked for. */
#include "line.h"

static void wait_for(int fd, const char *wanted) {
  char text[64];
  do assert(receive_line(fd, text, sizeof text) > 0);
  while (strcmp(text, wanted) != 0);
}

int main(void) {
  int fd = connected(SOCK_STREAM, "peer", 7000);
  write_all(fd, "one\n", 4);
  wait_for(fd, "answer to one");
  write_all(fd, "two\n", 4);
  wait_for(fd, "answer to two");
  close(fd);
  return 0;
}
