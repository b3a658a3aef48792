/* A request to move a piece: a column and a row of a board. */
#include <stdint.h>

enum { SIZE = 2, INPUTS = 2 };
enum { COLUMNS = 8, ROWS = 8 };

static int is_on_board(uint8_t column, uint8_t row) {
  return column >= 'a' && column < 'a' + COLUMNS && row >= '1' && row < '1' + ROWS;
}

static int compose(const uint8_t input[INPUTS], uint8_t message[SIZE]) {
  if (!is_on_board(input[0], input[1])) return 0;
  message[0] = input[0];
  message[1] = input[1];
  return 1;
}

static int accepts(const uint8_t message[SIZE]) { return is_on_board(message[0], message[1]); }
