// A node that is on no network cannot be set up, whatever was wrong before.
//@ findings: 1
#include <netklee.h>

int main(void) {
  klee_net_add_network("lan");
  klee_net_add_interface(1, "lna", NULL);
  return klee_net_host_setup("node", 0, 0); // expect: bug user-error
  // expect: message contains "`node` has no interface"
}
