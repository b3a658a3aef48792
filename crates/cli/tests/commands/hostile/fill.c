// Allocates and fills without end: the memory of one state.
#include <stdlib.h>
#include <string.h>

int main(void) {
    for (;;) {
        char *piece = malloc(16 << 20);
        if (piece == NULL) return 1;
        memset(piece, 7, 16 << 20);
    }
}
