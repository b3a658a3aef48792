/* A receiver that has looked for memory once, and does not look again. */
#include <klee/klee.h>
#include <netklee.h>
#include <stdlib.h>
#include <string.h>

#define RECEIVER klee_net_make_ipv4(10, 0, 0, 1)

static int receive(void) {
  struct net_event any = {.type = net_event_type_data}, event;
  char *first = malloc(16);
  if (!first)
    return 0;
  klee_net_will_get_events(&any, 1, 1, 0, 0);
  klee_net_events_get(&event, 1, &any, 1);
  char *data = klee_net_event_data_alloc(event.identifier, NULL);
  char *copy = malloc(1);
  copy[0] = data[0]; // mark: copy
  klee_net_event_data_free(data);
  free(copy);
  free(first);
  return 0;
}

int main(void) {
  klee_net_add_network("net0");
  klee_net_add_interface(1, "net0", NULL);
  if (klee_range(0, 2, "transmits")) {
    klee_net_host_setup("sender", 1, 0);
    struct net_event event = {.type = net_event_type_data, .to_ip = RECEIVER};
    char data[1] = {3};
    return klee_net_event_put(&event, data);
  }
  klee_net_add_ipv4_address(RECEIVER, 0, 1, 1, NULL);
  klee_net_host_setup("receiver", 0, 0);
  return receive();
}
