/* Takes a greeting with one read from each of two connections. As many reads as the argument says may give
   less than there is, on the second one. */
#include <everett.h>
#include <sys/ioctl.h>

#include "../../sockets.h"

int main(int argc, char **argv) {
  int listener = listening(7000);
  for (int i = 0; i < 2; i++) {
    int fd = accept(listener, NULL, NULL);
    char word[5] = "";
    assert(fd >= 0 && argc > 1);
    if (i == 1) assert(ioctl(fd, EVERETT_IOC_FRAGMENT, atoi(argv[1])) == 0);
    assert(read(fd, word, 4) == 4); // mark: guilty
    assert(strcmp(word, "good") == 0);
    assert(close(fd) == 0);
  }
  return 0;
}
