/* Asks for two files, each of which is one of three. */
#include <everett.h>

#include "../peer.h"

static const char paths[][15] = {"/srv/a/index", "/srv/b/index", "/srv/a/none"};

int main(void) {
  everett_faults(0); /* only those of the server matter */
  int fd = connected(SOCK_STREAM, "server", 8080);
  unsigned char choices[2];
  klee_make_symbolic(choices, sizeof choices, "choices");
  for (int i = 0; i < 2; i++)
    for (int path = 0; path < 3; path++)
      if (choices[i] == path) write_all(fd, paths[path], sizeof paths[path]);

  char answers[64];
  last_answers(fd, answers, sizeof answers);
  return 0;
}
