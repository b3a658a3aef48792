// Declarations that do not fit are answered with an error number; a system of one node is one, too.
//@ paths: 1
#include <assert.h>
#include <errno.h>
#include <netklee.h>
#include <string.h>
#include <unistd.h>

#define ADDRESS(n) klee_net_make_ipv4(192, 168, 1, n)

int main(void) {
  assert(klee_net_add_interface(1, "lan", NULL) == -ENOENT);
  assert(klee_net_add_network("lan") == 0);
  assert(klee_net_add_network("lan") == -EEXIST);
  assert(klee_net_add_network("") == -EINVAL);
  assert(klee_net_add_network("two words") == -EINVAL);
  assert(klee_net_add_interface(1, "lan", "router") == -ENOENT);
  assert(klee_net_add_router("router") == 0);
  assert(klee_net_add_router("router") == -EEXIST);
  assert(klee_net_add_interface(1, "lan", "router") == 0);
  assert(klee_net_add_interface(4, "lan", NULL) == 0);
  assert(klee_net_add_interface(4, "lan", NULL) == -EEXIST);
  assert(klee_net_add_ipv4_address(ADDRESS(1), 0, 1, 5, NULL) == -ENOENT);
  assert(klee_net_add_ipv4_address(ADDRESS(1), 33, 1, 4, NULL) == -EINVAL);
  assert(klee_net_add_ipv4_address(ADDRESS(1), klee_net_make_ipv4(255, 255, 0, 0), 0, 4, NULL) == 0);
  assert(klee_net_add_ipv4_address(ADDRESS(1), 16, 0, 4, NULL) == -EEXIST);
  assert(klee_net_add_ipv4_address(ADDRESS(2), 16, 1, 4, NULL) == 0);
  assert(klee_net_add_ipv4_address(ADDRESS(3), 16, 1, 4, NULL) == -EEXIST);
  assert(klee_net_add_route(0, 0, ADDRESS(4), "nobody") == -ENOENT);
  assert(klee_net_host_setup("alone", 0, 0) == 0);
  assert(klee_net_host_setup("alone", 0, 0) == -EALREADY);
  assert(klee_net_add_network("wan") == -EALREADY);
  char name[64];
  assert(gethostname(name, sizeof name) == 0 && strcmp(name, "alone") == 0);
  /* The primary address is the one that packets come from. */
  struct net_event event = {.type = net_event_type_data, .to_ip = ADDRESS(1)}, mask = {.type = 1};
  assert(klee_net_event_put(&event, NULL) == 0);
  assert(klee_net_events_get(&event, 1, &mask, 1) == 1);
  event.to_ip = ADDRESS(99);
  assert(klee_net_event_put(&event, NULL) == -EHOSTUNREACH);
  return 0;
}
