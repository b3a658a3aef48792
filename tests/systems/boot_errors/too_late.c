/* A program that makes nodes cannot be a node of a scenario with others. */
#include <assert.h>
#include <errno.h>
#include <netklee.h>

int main(void) {
  assert(klee_net_add_network("net0") == -EALREADY);
  return klee_net_host_setup("late", 0, 0); // mark: late
}
