// What was made symbolic before the node is set up has one value afterwards: the smallest possible.
//@ paths: 2
//@ exit: 3
#include <assert.h>
#include <klee/klee.h>
#include <netklee.h>

static volatile int left, right;

int main(void) {
  unsigned before, after;
  unsigned char table[4];
  klee_make_symbolic(&before, sizeof before, "input");
  klee_make_symbolic(table, sizeof table, "table");
  klee_assume(before > 300);
  klee_assume(table[2] > table[1]);
  klee_net_add_network("lan");
  klee_net_add_interface(1, "lan", NULL);
  assert(klee_net_host_setup("node", 0, 0) == 0);
  assert(before == 301 && !klee_is_symbolic(before));
  klee_make_symbolic(&after, sizeof after, "input");
  klee_assume(after < 4);
  if (after > before - 300)
    left++;
  else
    right++;
  // An input that is settled as a whole is a table that others may index.
  assert(table[after] <= 1);
  return 0;
}
