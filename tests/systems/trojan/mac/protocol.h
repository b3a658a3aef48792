/* An order to pay an amount, and its authentication code, which needs a key that others do not have. */
#include <stdint.h>

enum { SIZE = 2, INPUTS = 1 };

static const uint8_t key[4] = {0x3c, 0x91, 0xe7, 0x58};

/* Each amount has another code. */
static uint8_t code(uint8_t amount) {
  for (int i = 0; i < 4; i++) {
    amount = (uint8_t)((amount ^ key[i]) * 5 + 77);
    amount ^= amount >> 3;
  }
  return amount;
}

static int compose(const uint8_t input[INPUTS], uint8_t message[SIZE]) {
  if (input[0] == 0) return 0;
  message[0] = input[0];
  message[1] = code(input[0]);
  return 1;
}

/* The code is left to whoever executes the order. */
static int accepts(const uint8_t message[SIZE]) { return message[0] > 0; }
