/* A request to go to another mode. */
#include <stdint.h>

enum { SIZE = 1, INPUTS = 1 };
/* The mode with the number 2 is no longer there. */
enum mode { IDLE = 0, RUN = 1, STOP = 3, RESET = 4 };

static int compose(const uint8_t input[INPUTS], uint8_t message[SIZE]) {
  switch (input[0]) {
  case 'i':
    message[0] = IDLE;
    return 1;
  case 'r':
    message[0] = RUN;
    return 1;
  case 's':
    message[0] = STOP;
    return 1;
  case 'x':
    message[0] = RESET;
    return 1;
  default:
    return 0;
  }
}

static int accepts(const uint8_t message[SIZE]) { return message[0] <= RESET; }
