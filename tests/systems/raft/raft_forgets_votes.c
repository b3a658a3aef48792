/* The node with mutant 2. */
#define MUTANT 2
#include "raft.c"
