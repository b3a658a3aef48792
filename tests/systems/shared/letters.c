/* Sends four letters at once. */
#include "../sockets.h"

int main(void) {
  struct sockaddr_in server = address_of("server", 7000);
  int fd = socket(AF_INET, SOCK_DGRAM, 0);
  for (char letter = 'a'; letter <= 'd'; letter++)
    assert(sendto(fd, &letter, 1, 0, (struct sockaddr *)&server, sizeof server) == 1);
  return 0;
}
