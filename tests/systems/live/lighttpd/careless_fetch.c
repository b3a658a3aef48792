/* A client that has little room for the place of a page. */
#define PLACE_BYTES 24
#include "fetch.c"
