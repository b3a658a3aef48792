/* Makes up to five requests, each of which is one of a list. */
#include "../peer.h"

static const char *const requests[] = {"Root /cvs\n", "Directory src\n", "Directory src/\n", "where\n", "noop\n"};

int main(void) {
  int fd = connected(SOCK_STREAM, "server", 2401);
  unsigned char choices[5];
  klee_make_symbolic(choices, sizeof choices, "choices");
  for (size_t i = 0; i < sizeof choices; i++)
    for (size_t request = 0; request < sizeof requests / sizeof *requests; request++)
      if (choices[i] == request) write_all(fd, requests[request], strlen(requests[request]));

  char answers[128];
  last_answers(fd, answers, sizeof answers);
  return 0;
}
