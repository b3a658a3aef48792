// Takes requests, of which none may begin with an x.
#include <assert.h>
#include <netinet/in.h>
#include <sys/socket.h>
int main(void) {
  int fd = socket(AF_INET, SOCK_DGRAM, 0);
  struct sockaddr_in self = {.sin_family = AF_INET, .sin_port = htons(7000)};
  assert(bind(fd, (struct sockaddr *)&self, sizeof self) == 0);
  char request[4];
  while (recv(fd, request, sizeof request, 0) == 4)
    assert(request[0] != 'x');
  return 0;
}
