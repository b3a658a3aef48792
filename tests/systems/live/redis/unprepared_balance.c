/* A client that takes it for granted that no request fails. */
#define UNPREPARED
#include "balance.c"
