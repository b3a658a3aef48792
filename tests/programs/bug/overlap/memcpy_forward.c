// memcpy to a place a few bytes further in the same buffer.
#include <string.h>

char buffer[32] = "0123456789";
volatile size_t n = 10;

int main(void) {
  memcpy(buffer + 2, buffer, n); // expect: bug overlap
  return buffer[0];
}
