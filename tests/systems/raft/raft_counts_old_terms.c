/* The node with mutant 1. */
#define MUTANT 1
#include "raft.c"
