/* A server whose author has counted the letters of the type of a form, and forgotten the zero behind them. */
#define TYPE_BYTES 33
#include "server.c"
