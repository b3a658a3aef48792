// More paths than anybody can count.
#include <klee/klee.h>

static unsigned char bytes[64];
volatile unsigned sink;

int main(void) {
    klee_make_symbolic(bytes, sizeof bytes, "bytes");
    for (unsigned i = 0; i < sizeof bytes; i++)
        if (bytes[i] > 7) sink = i;
    return 0;
}
