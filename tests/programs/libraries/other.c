/* A plugin whose names are those of `counter.c`. */
static int count = 1000;
int shared = 8;
int add(int n) { return count -= n; }
int only_other(void) { return add(1) + shared; }
