/* The same server, which does not say that it rejects a request. */
#define REJECT (void)0
#include "server.c"
