/* The store without a handler for keys that it does not have. */
#define CARELESS
#include "server.cpp"
