// A jump by a buffer that setjmp has not filled.
#include <setjmp.h>

jmp_buf place;

int main(void) {
  longjmp(place, 1); // expect: bug invalid-jump
}
