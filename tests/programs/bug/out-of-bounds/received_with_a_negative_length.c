// What is left to receive has become negative, which is a very large length: more comes than the buffer has room for.
#include <sys/socket.h>

int main(void) {
  int pair[2];
  char text[20] = "more than there is", buffer[8];
  volatile int left = -1;
  socketpair(AF_UNIX, SOCK_STREAM, 0, pair);
  send(pair[1], text, sizeof text, 0);
  return recv(pair[0], buffer, left, 0) < 0; // expect: bug out-of-bounds
}
