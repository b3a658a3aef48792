/* A request to set the volume of a channel, in half steps. */
#include <stdint.h>

enum { SIZE = 2, INPUTS = 2 };
enum { CHANNELS = 4, STEPS = 100 };

/* The user gives whole steps. */
static int compose(const uint8_t input[INPUTS], uint8_t message[SIZE]) {
  uint8_t channel = input[0], steps = input[1];
  if (channel >= CHANNELS || steps > STEPS) return 0;
  message[0] = channel;
  message[1] = (uint8_t)(2 * steps);
  return 1;
}

static int accepts(const uint8_t message[SIZE]) {
  return message[0] < CHANNELS && message[1] <= 2 * STEPS;
}
