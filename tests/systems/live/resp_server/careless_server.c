/* A server whose author thinks that a client waits for an answer before it asks again. */
#define CARELESS
#include "server.c"
