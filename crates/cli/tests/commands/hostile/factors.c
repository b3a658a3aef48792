// Asks for the factors of a product of two primes of 64 bits.
#include <assert.h>
#include <klee/klee.h>

int main(void) {
    unsigned long a, b;
    klee_make_symbolic(&a, sizeof a, "a");
    klee_make_symbolic(&b, sizeof b, "b");
    klee_assume(a > 1);
    klee_assume(b > 1);
    unsigned __int128 product = (unsigned __int128)16082963485265235479ul * 10119082831196710313ul;
    assert((unsigned __int128)a * b != product);
    return 0;
}
