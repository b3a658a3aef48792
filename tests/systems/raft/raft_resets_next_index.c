/* The node with mutant 5. */
#define MUTANT 5
#include "raft.c"
