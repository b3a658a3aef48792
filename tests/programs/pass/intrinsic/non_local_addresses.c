//@ native: yes
// Frame and return addresses exist and may be compared with null.
#include <stdio.h>

__attribute__((noinline)) int has_frame(void) {
  volatile void *frame = __builtin_frame_address(0), *caller = __builtin_return_address(0);
  return (frame != 0) + (caller != 0);
}

int main(void) {
  printf("%d\n", has_frame());
  return 0;
}
