// What poll says of the ends of a pipe: empty, filled, full, without writers, without readers.
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <unistd.h>

static char page[4096];

static void show(const char *what, int in, int out) {
  struct pollfd set[2] = {{in, POLLIN | POLLPRI | POLLRDNORM, 0}, {out, POLLOUT | POLLWRNORM, 0}};
  int count = poll(set, 2, 0);
  printf("%s: %d", what, count);
  for (int i = 0; i < 2; i++) {
    short r = set[i].revents;
    printf(" |%s%s%s%s%s%s%s", r & POLLIN ? " in" : "", r & POLLRDNORM ? " rdnorm" : "",
           r & POLLPRI ? " pri" : "", r & POLLOUT ? " out" : "", r & POLLWRNORM ? " wrnorm" : "",
           r & POLLHUP ? " hup" : "", r & POLLERR ? " err" : "");
  }
  printf("\n");
}

int main(void) {
  int a[2], b[2];
  if (pipe2(a, O_NONBLOCK) || pipe2(b, O_NONBLOCK))
    return 1;
  show("empty", a[0], a[1]);
  if (write(a[1], "x", 1) != 1)
    return 1;
  show("a byte", a[0], a[1]);
  if (read(a[0], page, 1) != 1)
    return 1;
  for (int i = 0; i < 16; i++)
    if (write(a[1], page, sizeof page) != sizeof page)
      return 1;
  show("full", a[0], a[1]);
  close(a[1]);
  show("no writer, with data", a[0], -1);
  while (read(a[0], page, sizeof page) > 0)
    continue;
  show("no writer, empty", a[0], -1);
  close(b[0]);
  show("no reader", -1, b[1]);
  struct pollfd nothing = {b[1], 0, 0};
  printf("asked for nothing: %d\n", poll(&nothing, 1, -1));
  printf("%d\n", (nothing.revents & POLLERR) != 0);
  return 0;
}
