#include "../sockets.h"

/* Between the two there are three bytes that nobody writes. */
struct record {
  char letter;
  int number;
};
