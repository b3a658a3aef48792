// Fills four gigabytes in one call.
#include <stdlib.h>
#include <string.h>

int main(void) {
    size_t size = (size_t)4 << 30;
    char *all = malloc(size);
    if (all == NULL) return 1;
    memset(all, 7, size);
    return all[size - 1];
}
