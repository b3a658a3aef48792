/* Throws a die, and tells the referee about it and about its luck. Each of its numbers may be any. */
#include "../sockets.h"

int main(void) {
  int fd = connected(SOCK_DGRAM, "referee", 7000);
  unsigned seed = 1;
  unsigned short state[3] = {1, 2, 3};
  int thrown = rand() % 6 + 1;
  int lucky = drand48() >= 0.75 && random() == 1234567 && rand_r(&seed) == 7 && erand48(state) < 0x1p-40 &&
              lrand48() == 99 && nrand48(state) == 100 && mrand48() == -3 && jrand48(state) == 3;
  char message[2] = {thrown == 6, lucky};
  write_all(fd, message, sizeof message);
  return 0;
}
