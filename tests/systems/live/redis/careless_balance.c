/* A display that has no room for the sign of a balance. */
#define DISPLAY_BYTES 4
#include "balance.c"
