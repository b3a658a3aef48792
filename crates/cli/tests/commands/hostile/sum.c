// Asks about the sum of a hundred thousand symbolic bytes.
#include <assert.h>
#include <klee/klee.h>

static unsigned char bytes[100000];

int main(void) {
    unsigned sum = 0;
    klee_make_symbolic(bytes, sizeof bytes, "bytes");
    for (unsigned i = 0; i < sizeof bytes; i++) sum += bytes[i] * (i + 1);
    assert(sum != 12345678);
    return 0;
}
