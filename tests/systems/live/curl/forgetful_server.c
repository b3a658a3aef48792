/* A server whose author thinks that a connection has one request. */
#define FORGETFUL 1
#include "server.c"
