// vmsplice: memory goes into a pipe, and comes out of one.
#include "../check.h"
#include <sys/uio.h>

int main(void) {
  int ends[2];
  need(pipe(ends) == 0, "pipe");
  char first[] = "memory ", second[] = "in pieces";
  struct iovec pieces[] = {{first, 7}, {second, 9}};
  SHOW(vmsplice(ends[1], pieces, 2, 0));
  char text[32] = "";
  SHOW(read(ends[0], text, sizeof text));
  bytes("text", text, 16);
  SHOW(vmsplice(ends[1], pieces, 0, 0));
  SHOW(vmsplice(ends[1], pieces, 1, 0x100));
  SHOW(write(ends[1], "back", 4));
  struct iovec place = {text, 4};
  SHOW(vmsplice(ends[0], &place, 1, 0));
  bytes("text", text, 4);
  SHOW(vmsplice(ends[0], &place, 1, SPLICE_F_NONBLOCK));
  put("file", "x");
  int file = open("file", O_RDWR);
  SHOW(vmsplice(file, &place, 1, 0));
  return 0;
}
