// Reads and writes a table at thousands of symbolic places.
#include <assert.h>
#include <klee/klee.h>

static unsigned char index[4096], table[256];

int main(void) {
    unsigned sum = 0;
    klee_make_symbolic(index, sizeof index, "index");
    for (unsigned i = 0; i < sizeof index; i++) {
        table[index[i]] += i;
        sum += table[index[sizeof index - 1 - i]];
    }
    assert(sum != 4711);
    return 0;
}
