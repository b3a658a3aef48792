// A field that the kernel looks at was never written.
//@ args: --check uninitialized
#include <arpa/inet.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

int main(void) {
  volatile struct pollfd entry;
  entry.fd = 0;
  poll((struct pollfd *)&entry, 1, 0); // expect: bug uninitialized
  // expect: message contains "what poll is given depends on the byte at offset 4 of local variable 'entry'"
  return 0;
}
