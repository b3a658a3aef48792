/* A client that expects a page behind each answer. */
#define HASTY
#include "fetch.c"
