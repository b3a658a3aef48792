/* Reports two values, with numbers that go up by one: from 7 on, or from any number. */
#include <everett.h>

#include "../../sockets.h"

struct report {
  unsigned char number, value;
};

int main(int argc, char **argv) {
  int fd = connected(SOCK_DGRAM, "server", 7112);
  unsigned char number = 7, values[2];
  if (argc > 1 && strcmp(argv[1], "any") == 0) everett_symbolic(number);
  everett_symbolic(values);
  for (int i = 0; i < 2; i++) {
    struct report report = {number++, values[i]};
    char answer;
    assert(send(fd, &report, sizeof report, 0) == sizeof report);
    assert(recv(fd, &answer, 1, 0) == 1);
  }
  return 0;
}
