/* A node whose address is not one of its network. */
#include <klee/klee.h>
#include <netklee.h>

int main(void) {
  klee_net_add_network("net0");
  klee_net_add_interface(1, "net0", NULL);
  if (klee_range(0, 2, "node") == 0) {
    klee_net_add_ipv4_address(klee_net_make_ipv4(10, 0, 0, 1), 0, 1, 1, NULL);
    return klee_net_host_setup("inside", 0, 0);
  }
  klee_net_add_ipv4_address(klee_net_make_ipv4(10, 0, 1, 1), 0, 1, 1, NULL);
  return klee_net_host_setup("outside", 0, 1); // mark: outside
}
