/* A request is a command and its argument. */
#include <stdint.h>

enum { SIZE = 2, INPUTS = 2 };
enum { GET = 1, PUT, LIST, RESET };

/* Makes the request that a user asks for, and returns 0 if there is no such command. */
static int compose(const uint8_t input[INPUTS], uint8_t message[SIZE]) {
  if (input[0] < GET || input[0] > LIST) return 0;
  message[0] = input[0];
  message[1] = input[1];
  return 1;
}

/* Resetting was left in the server when it was taken out of the client. */
static int accepts(const uint8_t message[SIZE]) {
  return message[0] >= GET && message[0] <= RESET;
}
