/* The server behind a UNIX socket. */
#define LOCAL 1
#include "server.c"
