/* Asks twice. The second question has two variants, so the first one is asked again. */
#include <klee/klee.h>

#include "line.h"

int main(void) {
  char text[64], variant;
  int fd = connected(SOCK_STREAM, "peer", 7000);
  assert(ask(fd, "who are you\n", text, sizeof text) == 8);
  klee_make_symbolic(&variant, sizeof variant, "variant");
  const char *question = variant == 0 ? "and then\n" : "what else\n";
  assert(ask(fd, question, text, sizeof text) == 8);
  close(fd);
  return 0;
}
