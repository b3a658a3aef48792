/* Tells two others three times that it is there, a second apart. */
#include "../../sockets.h"

int main(void) {
  struct sockaddr_in peers[] = {address_of("b", 7000), address_of("c", 7000)};
  int fd = socket(AF_INET, SOCK_DGRAM, 0);
  for (char beat = 1; beat <= 3; beat++) {
    for (int i = 0; i < 2; i++) {
      assert(sendto(fd, &beat, 1, 0, (struct sockaddr *)&peers[i], sizeof peers[i]) == 1);
    }
    sleep(1);
  }
  return 0;
}
