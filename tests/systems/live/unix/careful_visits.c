/* Has room for two digits. */
#define DISPLAY_BYTES 3
#include "visits.c"
