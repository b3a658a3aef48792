/* A request to remove the file with a name of two characters. */
#include <stdint.h>

enum { SIZE = 2, INPUTS = 2 };

static int is_printable(uint8_t character) { return character >= 33 && character <= 126; }

/* The client expands wildcards before it asks the server, and there is no way to escape them. */
static int compose(const uint8_t input[INPUTS], uint8_t message[SIZE]) {
  for (int i = 0; i < SIZE; i++) {
    if (!is_printable(input[i]) || input[i] == '*') return 0;
    message[i] = input[i];
  }
  return 1;
}

/* To the server, a wildcard is a character like any other. */
static int accepts(const uint8_t message[SIZE]) {
  return is_printable(message[0]) && is_printable(message[1]);
}
