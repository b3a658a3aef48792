/* Three nodes on two networks, with a router between them. Who begins depends on the sequence numbers:
 * the first one finds nobody there yet. What each node sends is the input that made it a node. */
#include <assert.h>
#include <klee/klee.h>
#include <netklee.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile int looked;

static const char *names[] = {"last", "middle", "first"};

static uint32_t address(int node) {
  return node == 0 ? klee_net_make_ipv4(10, 1, 0, 9) : klee_net_make_ipv4(10, 0, 0, node);
}

static int run(int node) {
  char name[64], input;
  assert(gethostname(name, sizeof name) == 0 && strcmp(name, names[node]) == 0);
  struct net_event any = {.type = net_event_type_data};
  /* Events of the earlier ones have come when a later one begins. */
  assert(klee_net_has_pending_events(&any, 1, 0) == 2 - node);
  klee_make_symbolic(&input, 1, "input");
  for (int other = 0; other < 3; other++) {
    if (other == node)
      continue;
    struct net_event event = {net_event_type_data, 0, 0, address(other), node, other, 0, 0};
    char data[2] = {(char)node, input};
    assert(klee_net_event_put(&event, data) == 0);
  }
  struct net_event events[2];
  assert(klee_net_will_get_events(&any, 1, 2, 0, 0) == 2);
  assert(klee_net_events_get(events, 2, &any, 1) == 2);
  int positive = input > 0;
  for (int i = 0; i < 2; i++) {
    char *data = klee_net_event_data_alloc(events[i].identifier, NULL);
    assert(data[0] == events[i].from_port);
    assert(events[i].from_ip == address(data[0]));
    if (data[1] > 0) {
      looked++;
      positive++;
    }
    klee_net_event_data_free(data);
  }
  assert(positive < 3); // mark: all
  return 0;
}

int main(void) {
  assert(klee_net_add_network("left") == 0);
  assert(klee_net_add_network("right") == 0);
  assert(klee_net_add_router("between") == 0);
  assert(klee_net_add_interface(1, "left", "between") == 0);
  assert(klee_net_add_interface(2, "right", "between") == 0);
  assert(klee_net_add_ipv4_address(klee_net_make_ipv4(10, 0, 0, 254), 16, 1, 1, "between") == 0);
  assert(klee_net_add_ipv4_address(klee_net_make_ipv4(10, 1, 0, 254), 16, 0, 2, "between") == 0);
  int node = klee_range(0, 3, "node");
  for (int i = 0; i < 3; i++)
    if (node == i) {
      assert(klee_net_add_interface(7, i == 0 ? "right" : "left", NULL) == 0);
      assert(klee_net_add_ipv4_address(address(i), 16, 1, 7, NULL) == 0);
      if (i == 0)
        assert(klee_net_add_route(0, 0, klee_net_make_ipv4(10, 1, 0, 254), NULL) == 0);
      assert(klee_net_host_setup(names[i], 0, 2 - i) == 0);
      return run(node);
    }
  abort();
}
