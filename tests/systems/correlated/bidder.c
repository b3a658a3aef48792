/* Bids a symbolic price, hears how it compares with the other one, and then looks at its own again. */
#include <klee/klee.h>

#include "../sockets.h"

static volatile int low, high;

int main(void) {
  unsigned char price;
  char answer;
  int fd = connected(SOCK_STREAM, "auction", 7000);
  klee_make_symbolic(&price, 1, "price");
  write_all(fd, &price, 1);
  assert(read_all(fd, &answer, 1) == 1);
  if (price < 128)
    low++;
  else
    high++;
  /* There is a price above, or below, where the answer says so. */
  if (answer == '<') assert(price < 255);
  if (answer == '>') assert(price > 0);
  return 0;
}
