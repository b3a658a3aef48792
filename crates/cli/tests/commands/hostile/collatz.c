// A long computation on one symbolic byte without a branch.
#include <assert.h>
#include <klee/klee.h>

int main(void) {
    unsigned char start;
    klee_make_symbolic(&start, sizeof start, "start");
    unsigned long n = start + 1ul, steps = 0;
    for (int i = 0; i < 10000000; i++) {
        unsigned long odd = n & 1;
        n = odd ? 3 * n + 1 : n / 2;
        steps += n != 1;
    }
    assert(steps != 111);
    return 0;
}
