// Asks for the factors of a product of two primes.
#include <assert.h>
#include <klee/klee.h>

int main(void) {
    unsigned long a, b;
    klee_make_symbolic(&a, sizeof a, "a");
    klee_make_symbolic(&b, sizeof b, "b");
    a &= 0xffffffff;
    b &= 0xffffffff;
    klee_assume(a > 1);
    klee_assume(b > 1);
    assert(a * b != 2147483647ul * 2147483629ul);
    return 0;
}
