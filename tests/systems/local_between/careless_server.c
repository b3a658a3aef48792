/* Has less in stock than two clients may order. */
#define STOCK 3
#include "server.c"
