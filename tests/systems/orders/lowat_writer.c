/* Sends two bytes at a time. */
#include "../sockets.h"

int main(void) {
  int fd = connected(SOCK_STREAM, "reader", 7000);
  write_all(fd, "ab", 2);
  sleep(1);
  write_all(fd, "cd", 2);
  sleep(1);
  return 0;
}
