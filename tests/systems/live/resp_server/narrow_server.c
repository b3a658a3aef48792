/* A server that has room for one digit. */
#define DIGIT_BYTES 2
#include "server.c"
