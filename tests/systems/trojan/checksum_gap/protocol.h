/* A reading of a sensor: flags, a value, and a checksum that leaves the flags out. */
#include <stdint.h>

enum { SIZE = 3, INPUTS = 1 };

static uint8_t checksum(const uint8_t message[SIZE]) {
  uint8_t sum = 0xa5;
  for (int i = 1; i < SIZE - 1; i++) {
    sum = (uint8_t)(sum << 1 | sum >> 7);
    sum ^= message[i];
  }
  return sum;
}

static int compose(const uint8_t input[INPUTS], uint8_t message[SIZE]) {
  message[0] = 0;
  message[1] = input[0];
  message[2] = checksum(message);
  return 1;
}

static int accepts(const uint8_t message[SIZE]) { return message[2] == checksum(message); }
