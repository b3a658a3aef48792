// The third and the sixth call fail, whichever they are.
//@ args: --select-fail-interval 3
//@ paths: 1
#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <sys/select.h>
#include <unistd.h>

int main(void) {
  int ends[2];
  assert(pipe(ends) == 0);
  struct pollfd wanted = {ends[1], POLLOUT, 0};
  for (int i = 1; i <= 6; i++) {
    fd_set set;
    FD_ZERO(&set);
    FD_SET(ends[1], &set);
    int ready = i % 2 ? poll(&wanted, 1, 0) : select(ends[1] + 1, NULL, &set, NULL, NULL);
    if (i % 3 == 0) assert(ready < 0 && errno == ENOMEM);
    else assert(ready == 1);
  }
  return 0;
}
