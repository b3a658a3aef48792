/* Takes reports, and never gives a command. */
#include <assert.h>
#include <netinet/in.h>
#include <sys/socket.h>

int main(void) {
  struct sockaddr_in self = {.sin_family = AF_INET, .sin_port = htons(7000)};
  int fd = socket(AF_INET, SOCK_DGRAM, 0);
  assert(bind(fd, (struct sockaddr *)&self, sizeof self) == 0);
  for (;;) {
    char report;
    assert(recv(fd, &report, sizeof report, 0) == sizeof report);
  }
}
