/* A receiver that looks at what an event carries after it has given it back. */
#include <klee/klee.h>
#include <netklee.h>
#include <stdlib.h>

#define RECEIVER klee_net_make_ipv4(10, 0, 0, 1)

static volatile char seen;

static int receive(void) {
  struct net_event any = {.type = net_event_type_data}, event;
  klee_net_will_get_events(&any, 1, 1, 0, 0);
  klee_net_events_get(&event, 1, &any, 1);
  uint32_t size;
  char *data = klee_net_event_data_alloc(event.identifier, &size);
  char first = data[0];
  klee_net_event_data_free(data);
  if (first == 7)
    seen = data[size - 1]; // mark: freed
  return 0;
}

static int transmit(void) {
  struct net_event event = {.type = net_event_type_data, .to_ip = RECEIVER};
  char *data = malloc(40);
  klee_make_symbolic(data, 40, "data");
  int failed = klee_net_event_put(&event, data);
  free(data);
  return failed;
}

int main(void) {
  klee_net_add_network("net0");
  klee_net_add_interface(1, "net0", NULL);
  if (klee_range(0, 2, "transmits")) {
    klee_net_host_setup("sender", 0, 1);
    return transmit();
  }
  klee_net_add_ipv4_address(RECEIVER, 0, 1, 1, NULL);
  klee_net_host_setup("receiver", 0, 0);
  return receive();
}
