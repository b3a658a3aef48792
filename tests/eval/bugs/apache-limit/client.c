/* Makes one request: a method of two, for a directory of three. */
#include "../peer.h"

static const char *const methods[] = {"GET", "OPTIONS"};
static const char *const directories[] = {"docs", "drafts", "none"};

int main(void) {
  int fd = connected(SOCK_STREAM, "server", 8080);
  unsigned char method, directory;
  klee_make_symbolic(&method, 1, "method");
  klee_make_symbolic(&directory, 1, "directory");
  klee_assume(method < 2);
  klee_assume(directory < 3);
  char line[32];
  for (int m = 0; m < 2; m++)
    for (int d = 0; d < 3; d++)
      if (m == method && d == directory) snprintf(line, sizeof line, "%s %s\n", methods[m], directories[d]);
  write_all(fd, line, strlen(line));

  char answers[128];
  last_answers(fd, answers, sizeof answers);
  return 0;
}
