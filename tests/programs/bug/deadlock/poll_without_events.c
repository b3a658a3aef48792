// A poll without a deadline over a pipe that stays empty and a counter that stays zero.
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

int main(void) {
  int ends[2];
  if (pipe(ends))
    return 1;
  struct pollfd set[2] = {{ends[0], POLLIN, 0}, {eventfd(0, 0), POLLIN, 0}};
  return poll(set, 2, -1) == 0; // expect: bug deadlock
}
