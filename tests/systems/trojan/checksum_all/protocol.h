/* A reading of a sensor: its channel, a value, and a checksum of both. */
#include <stdint.h>

enum { SIZE = 3, INPUTS = 2 };

static uint8_t checksum(const uint8_t message[SIZE]) {
  uint8_t sum = 0xa5;
  for (int i = 0; i < SIZE - 1; i++) {
    sum = (uint8_t)(sum << 1 | sum >> 7);
    sum ^= message[i];
  }
  return sum;
}

static int compose(const uint8_t input[INPUTS], uint8_t message[SIZE]) {
  message[0] = input[0];
  message[1] = input[1];
  message[2] = checksum(message);
  return 1;
}

static int accepts(const uint8_t message[SIZE]) { return message[2] == checksum(message); }
