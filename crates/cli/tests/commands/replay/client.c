// Sends a symbolic request. Each macro stands for a change that a replay notices.
#include <klee/klee.h>
#include <netinet/in.h>
#include <arpa/inet.h>
#include <sys/socket.h>
#include <time.h>
int main(void) {
#ifdef CURIOUS
  time(0);
#endif
#ifdef STUCK
  for (volatile int goes_on = 1; goes_on;);
#endif
  int fd = socket(AF_INET, SOCK_DGRAM, 0);
  struct sockaddr_in server = {.sin_family = AF_INET, .sin_port = htons(7000)};
  server.sin_addr.s_addr = inet_addr("10.0.0.1");
  char request[4];
  klee_make_symbolic(request, sizeof request, "request");
#ifdef LOUD
  request[3] = '!';
#endif
  sendto(fd, request, sizeof request, 0, (struct sockaddr *)&server, sizeof server);
  return 0;
}
