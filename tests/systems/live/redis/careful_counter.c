/* Only one of two threads that look at the same time enters. */
#define CAREFUL
#include "counter.c"
