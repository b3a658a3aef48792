// Scans a number in three symbolic bytes, in floating point with many digits.
#include <klee/klee.h>
#include <stdio.h>

int main(void) {
    char text[4];
    klee_make_symbolic(text, 3, "text");
    text[3] = 0;
    double number = 0;
    sscanf(text, "%lf", &number);
    return number == 7.0;
}
