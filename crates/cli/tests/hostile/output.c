// Prints a gigabyte.
#include <string.h>
#include <unistd.h>

static char text[1 << 20];

int main(void) {
    memset(text, 'x', sizeof text);
    for (int i = 0; i < 1024; i++) write(1, text, sizeof text);
    return 0;
}
