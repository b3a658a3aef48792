/* Keeps the highest temperature in memory, and answers nothing. */
#include <everett.h>

#include "../../sockets.h"

static int highest;

/* Not inlined, so that it is called. */
__attribute__((noinline)) static void store(int temperature) {
  if (temperature > highest) highest = temperature;
}

int main(int argc, char **argv) {
  int fd = bound(SOCK_DGRAM, 7123), is_marked = argc > 1 && strcmp(argv[1], "marked") == 0;
  for (;;) {
    unsigned char report[2];
    if (recv(fd, report, sizeof report, MSG_TRUNC) != sizeof report || report[0] != 't') continue;
    if (is_marked) everett_accept(); // mark: accepted
    store((signed char)report[1]); // mark: store
  }
}
