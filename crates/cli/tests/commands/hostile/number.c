// Parses a number out of three symbolic bytes, in floating point.
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
    char text[4];
    klee_make_symbolic(text, 3, "text");
    text[3] = 0;
    return atof(text) == 7.0;
}
