/* Doubles the quotation marks of names. */
#define CAREFUL
#include "orders.c"
