// The second of two buffers of a message is longer than what was written to it.
//@ args: --check uninitialized
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

int main(void) {
  int ends[2];
  char head[4] = "head";
  char *volatile body = malloc(16);
  strcpy(body, "text");
  struct iovec parts[2] = {{head, sizeof head}, {body, 16}};
  struct msghdr message = {.msg_iov = parts, .msg_iovlen = 2};
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends))
    return 1;
  if (sendmsg(ends[0], &message, 0) != 20) // expect: bug information-leak
    // expect: message contains "offset 5 of a heap object of 16 bytes"
    return 2;
  free(body);
  return 0;
}
