/* The node with mutant 3. */
#define MUTANT 3
#include "raft.c"
