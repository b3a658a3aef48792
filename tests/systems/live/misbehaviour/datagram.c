/* Sends a datagram of which one letter is symbolic. The peer sends it back in capital letters. */
#include <klee/klee.h>

#include "line.h"

int main(void) {
  char letter, text[16];
  int fd = connected(SOCK_DGRAM, "peer", 7000);
  klee_make_symbolic(&letter, sizeof letter, "letter");
  const char *question = letter == 'x' ? "xylophone" : "piano";
  assert(send(fd, question, strlen(question), 0) == (ssize_t)strlen(question));
  ssize_t size = recv(fd, text, sizeof text, 0);
  assert(size == (ssize_t)strlen(question));
  assert(text[0] == 'P'); // mark: capital
  close(fd);
  return 0;
}
