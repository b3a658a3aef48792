/* The same table, and no number beyond its end. An answer goes to whoever has asked. */
#define LAST 7
#include "careless.c"
