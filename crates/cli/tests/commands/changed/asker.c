/* Asks once, and relies on an answer. FIXED asks again; POLITE says hello first. */
#include <arpa/inet.h>
#include <assert.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

static int answered(int fd) {
  struct pollfd wanted = {.fd = fd, .events = POLLIN};
  char answer;
  return poll(&wanted, 1, 1000) == 1 && recv(fd, &answer, 1, 0) == 1;
}

int main(void) {
  struct sockaddr_in server = {.sin_family = AF_INET, .sin_port = htons(7000)};
  server.sin_addr.s_addr = inet_addr("10.0.0.1");
  int fd = socket(AF_INET, SOCK_DGRAM, 0);
#ifdef POLITE
  sendto(fd, "hello", 5, 0, (struct sockaddr *)&server, sizeof server);
#endif
  sendto(fd, "?", 1, 0, (struct sockaddr *)&server, sizeof server);
  int has_answer = answered(fd);
#ifdef FIXED
  if (!has_answer) {
    sendto(fd, "?", 1, 0, (struct sockaddr *)&server, sizeof server);
    has_answer = answered(fd);
  }
#endif
  assert(has_answer);
  return 0;
}
