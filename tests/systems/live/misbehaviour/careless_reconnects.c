/* Relies on being able to connect again. */
#define CARELESS
#include "reconnects.c"
