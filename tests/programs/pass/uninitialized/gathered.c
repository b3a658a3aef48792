// The second of two buffers of a message is as long as what was written to it.
//@ args: --check uninitialized
//@ native: yes
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

int main(void) {
  int ends[2];
  char head[4] = "head";
  char *volatile body = malloc(16);
  strcpy(body, "text");
  struct iovec parts[2] = {{head, sizeof head}, {body, 5}};
  struct msghdr message = {.msg_iov = parts, .msg_iovlen = 2};
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends))
    return 1;
  if (sendmsg(ends[0], &message, 0) != 9)
    return 2;
  free(body);
  return 0;
}
