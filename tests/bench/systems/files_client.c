/* Uses all commands of the file server; asks again if there is no answer within a second, three times at most. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

enum { ROUNDS = 12 };

static int fd;

static int ask(const char *request) {
  char answer[128];
  for (int tries = 0; tries < 3; tries++) {
    if (send(fd, request, strlen(request), 0) < 0) continue;
    if (recv(fd, answer, sizeof answer, 0) > 0) return answer[0] == '+' ? 0 : 1;
  }
  return 2;
}

int main(int argc, char **argv) {
  struct sockaddr_in server = {.sin_family = AF_INET, .sin_port = htons(7000)};
  struct timeval second = {1, 0};
  if (argc < 2 || inet_pton(AF_INET, argv[1], &server.sin_addr) != 1) return 3;
  fd = socket(AF_INET, SOCK_DGRAM, 0);
  if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &second, sizeof second)) return 4;
  if (connect(fd, (struct sockaddr *)&server, sizeof server)) return 5;
  int failed = 0;
  for (int round = 0; round < ROUNDS; round++) {
    failed |= ask("pahello") | ask("pbworld, world") | ask("pc!");
    failed |= ask("ga") | ask("gb") | ask("sc");
    if (round == 7) failed |= ask("Sa") | ask("L-one") | ask("R-") | ask("M-");
    failed |= ask("ea") | ask("gc") | ask("pahello again") | ask("eb");
  }
  return failed;
}
