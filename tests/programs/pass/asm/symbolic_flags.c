//@ native: no
//@ paths: 1
// Flags of symbolic operands are symbolic: they hold exactly when C says so.
#include <klee/klee.h>

int main(void) {
  unsigned a, b, sum, rotated;
  unsigned char carry, less;
  klee_make_symbolic(&a, sizeof a, "a");
  klee_make_symbolic(&b, sizeof b, "b");
  sum = a;
  __asm__("addl %2, %0\n\tsetc %1" : "+r"(sum), "=q"(carry) : "r"(b) : "cc");
  klee_assert((sum == a + b) & (carry == (a + b < a)));
  __asm__("cmpl %2, %1\n\tsetl %0" : "=q"(less) : "r"(a), "r"(b) : "cc");
  klee_assert(less == ((int)a < (int)b));
  rotated = a;
  __asm__("rorw $8, %w0" : "+r"(rotated) : : "cc");
  klee_assert(rotated == ((a & 0xffff0000) | (a >> 8 & 0xff) | (a & 0xff) << 8));
  unsigned larger = a;
  __asm__("cmpl %1, %0\n\tcmovb %1, %0" : "+r"(larger) : "r"(b) : "cc");
  klee_assert((larger >= a) & (larger >= b));
  return 0;
}
