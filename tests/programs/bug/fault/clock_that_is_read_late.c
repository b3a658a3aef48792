//@ args: --sym-time
//@ paths: 1
/* The time that is left is less than nothing when the second reading comes late. */
#include <time.h>

volatile char ticks[11];

int main(void) {
  time_t end = time(NULL) + 10;
  ticks[end - time(NULL)] = 1; // expect: bug out-of-bounds
  return 0;
}
