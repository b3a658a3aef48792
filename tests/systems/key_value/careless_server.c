/* The store without room for the end of the longest name. */
#define NAME_BYTES KEY_BYTES
#include "server.c"
