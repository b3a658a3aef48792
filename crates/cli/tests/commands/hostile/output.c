// Prints without end.
#include <string.h>
#include <unistd.h>

static char text[1 << 20];

int main(void) {
    memset(text, 'x', sizeof text);
    for (;;) write(1, text, sizeof text);
}
