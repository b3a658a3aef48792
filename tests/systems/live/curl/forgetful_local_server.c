/* The forgetful server behind a UNIX socket. */
#define LOCAL 1
#define FORGETFUL 1
#include "server.c"
