/* Fails for one request. FIXED does not; LOUD prints; NEWER has a version in front of requests. */
#include <assert.h>
#include <netinet/in.h>
#include <stdio.h>
#include <sys/socket.h>

static void check(const char *request) {
#ifdef NEWER
  request++;
#endif
#ifdef FIXED
  if (request[0] == 'x') return;
#endif
  assert(request[0] != 'x');
}

int main(void) {
  int fd = socket(AF_INET, SOCK_DGRAM, 0);
  struct sockaddr_in self = {.sin_family = AF_INET, .sin_port = htons(7000)};
  bind(fd, (struct sockaddr *)&self, sizeof self);
  char request[16];
  long size;
  while ((size = recv(fd, request, sizeof request, 0)) > 0) {
#ifdef LOUD
    printf("%ld bytes\n", size);
#endif
    check(request);
  }
  return 0;
}
