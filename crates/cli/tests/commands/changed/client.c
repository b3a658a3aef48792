/* Sends a request. MORE asks for one more input, LONGER for a longer one; NEWER has a version in front. */
#include <arpa/inet.h>
#include <klee/klee.h>
#include <netinet/in.h>
#include <sys/socket.h>

#ifdef LONGER
enum { SIZE = 8 };
#else
enum { SIZE = 4 };
#endif

int main(void) {
  struct sockaddr_in server = {.sin_family = AF_INET, .sin_port = htons(7000)};
  server.sin_addr.s_addr = inet_addr("10.0.0.1");
  int fd = socket(AF_INET, SOCK_DGRAM, 0);
  char request[SIZE + 1] = {2};
  int mode = 0;
#ifdef MORE
  klee_make_symbolic(&mode, sizeof mode, "mode");
#endif
  klee_make_symbolic(request + 1, SIZE, "request");
#ifdef NEWER
  sendto(fd, request, SIZE + 1, 0, (struct sockaddr *)&server, sizeof server);
#else
  sendto(fd, request + 1, SIZE, 0, (struct sockaddr *)&server, sizeof server);
#endif
  return mode;
}
