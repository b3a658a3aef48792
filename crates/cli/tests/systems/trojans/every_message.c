/* Tries every message of a protocol with few bytes. PROTOCOL is its header, with SIZE and INPUTS, and the functions
 *
 *   int compose(const uint8_t input[INPUTS], uint8_t message[SIZE])   the client; 0 if it sends nothing
 *   int accepts(const uint8_t message[SIZE])                          the server
 *
 * The output has a byte for each message, in ascending order, the first byte of a message being the highest:
 * 1 if the client can send it, and 2 more if the server accepts it. */
#include <stdio.h>
#include <stdlib.h>

#include PROTOCOL

/* Puts a number into bytes, the highest first. */
static void spread(size_t number, uint8_t *bytes, int count) {
  for (int i = count; i-- > 0; number >>= 8) bytes[i] = number & 0xff;
}

int main(void) {
  size_t count = (size_t)1 << 8 * SIZE;
  uint8_t *table = calloc(count, 1), message[SIZE], input[INPUTS];
  if (!table) return 1;
  for (size_t i = 0; i < (size_t)1 << 8 * INPUTS; i++) {
    spread(i, input, INPUTS);
    if (!compose(input, message)) continue;
    size_t at = 0;
    for (int j = 0; j < SIZE; j++) at = at << 8 | message[j];
    table[at] |= 1;
  }
  for (size_t i = 0; i < count; i++) {
    spread(i, message, SIZE);
    if (accepts(message)) table[i] |= 2;
  }
  return fwrite(table, 1, count, stdout) == count ? 0 : 1;
}
