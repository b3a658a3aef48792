/* Compares the prices of two bidders, and tells both. */
#include "../sockets.h"

int main(void) {
  int listener = listening(7000);
  int first = accept(listener, NULL, NULL), second = accept(listener, NULL, NULL);
  unsigned char price[2];
  assert(first >= 0 && second >= 0);
  assert(read_all(first, &price[0], 1) == 1);
  assert(read_all(second, &price[1], 1) == 1);
  if (price[0] == price[1]) {
    write_all(first, "=", 1);
    write_all(second, "=", 1);
  } else if (price[0] < price[1]) {
    write_all(first, "<", 1);
    write_all(second, ">", 1);
  } else {
    write_all(first, ">", 1);
    write_all(second, "<", 1);
  }
  return 0;
}
