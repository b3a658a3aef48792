/* Waits for an answer as long as it takes. */
#include "line.h"

int main(void) {
  char text[64];
  int fd = connected(SOCK_STREAM, "peer", 7000);
  assert(ask(fd, "yes\n", text, sizeof text) > 0);
  assert(strcmp(text, "let me see, yes") == 0);
  close(fd);
  return 0;
}
