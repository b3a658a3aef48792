/* The node with mutant 4. */
#define MUTANT 4
#include "raft.c"
