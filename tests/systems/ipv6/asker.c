/* Sends a datagram by the family that it is told, and waits for the answer. */
#include "ipv6.h"

int main(int argc, char **argv) {
  int is_six = argv[1][0] == '6';
  socklen_t size;
  struct sockaddr_storage to = found("server", 7000, is_six ? AF_INET6 : AF_INET, &size);
  int fd = socket(to.ss_family, SOCK_DGRAM, 0);
  assert(sendto(fd, argv[1], 1, 0, (struct sockaddr *)&to, size) == 1);
  char answer[64] = {0};
  struct sockaddr_storage from;
  socklen_t from_size = sizeof from;
  assert(recvfrom(fd, answer, sizeof answer - 1, 0, (struct sockaddr *)&from, &from_size) > 0);
  assert(from_size == size && memcmp(&from, &to, size) == 0);
  assert(strcmp(answer, is_six ? "fd00:1::2" : "four") == 0);
  return 0;
}
