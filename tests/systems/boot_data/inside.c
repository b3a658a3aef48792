/* A sender that wants to send the rest of an object, which cannot be. */
#include <assert.h>
#include <klee/klee.h>
#include <netklee.h>

int main(void) {
  assert(klee_net_add_network("net0") == 0);
  assert(klee_net_add_interface(1, "net0", NULL) == 0);
  int node = klee_range(0, 2, "node");
  uint32_t address = klee_net_make_ipv4(10, 0, 0, node + 1);
  assert(klee_net_add_ipv4_address(address, 0, 1, 1, NULL) == 0);
  assert(klee_net_host_setup(node == 0 ? "receiver" : "sender", 0, node) == 0);
  struct net_event event = {.type = net_event_type_data, .to_ip = klee_net_make_ipv4(10, 0, 0, 1)};
  if (node == 0)
    return klee_net_will_get_events(&event, 1, 1, 0, 0) != 1;
  assert(klee_net_add_network("net1") < 0);
  assert(klee_net_host_setup("sender", 0, 1) < 0);
  char data[8] = "1234567";
  assert(klee_net_event_put(&event, data) == 0);
  klee_net_event_put(&event, data + 1); // mark: inside
  return 0;
}
