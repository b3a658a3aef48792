/* Takes it for granted that each of two questions is answered. */
#include "line.h"

int main(void) {
  char text[64];
  int fd = connected(SOCK_STREAM, "peer", 7000);
  assert(ask(fd, "one\n", text, sizeof text) > 0); // mark: first
  assert(strcmp(text, "answer to one") == 0); // mark: answer
  assert(ask(fd, "two\n", text, sizeof text) > 0); // mark: second
  assert(strcmp(text, "answer to two") == 0);
  close(fd);
  return 0;
}
