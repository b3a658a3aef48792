// Asks again and again for memory that there is not.
#include <stdlib.h>

int main(void) {
    unsigned long got = 0;
    for (;;) got += malloc(400000000) != NULL;
    return got != 0;
}
