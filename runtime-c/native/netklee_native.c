/* netklee.h for a program that runs natively: there are no simulated networks here, so every function
 * says so and ends the program. */
#include <netklee.h>

#include <stdio.h>
#include <stdlib.h>

static _Noreturn void unavailable(const char *function) {
  fflush(stdout);
  fprintf(stderr, "klee replay: %s needs the engine: run this program with everett\n", function);
  exit(1);
}

uint32_t klee_net_make_ipv4(uint8_t a, uint8_t b, uint8_t c, uint8_t d) {
  return (uint32_t)a | (uint32_t)b << 8 | (uint32_t)c << 16 | (uint32_t)d << 24;
}

/* There if the program is replayed as a part of a system (runtime-c/replay). */
__attribute__((weak)) void everett_replay_expose(int state, const char *key, const void *data, size_t size);

/* Invariants are checked elsewhere; in a replay, the data has to be the same. */
void klee_invariant_expose_data(int state, const char *key, const void *data, size_t size) {
  if (everett_replay_expose)
    everett_replay_expose(state, key, data, size);
}

int klee_net_add_network(const char *name) {
  (void)name;
  unavailable("klee_net_add_network");
}

int klee_net_add_router(const char *hostname) {
  (void)hostname;
  unavailable("klee_net_add_router");
}

int klee_net_add_interface(uint32_t identifier, const char *network, const char *router) {
  (void)identifier, (void)network, (void)router;
  unavailable("klee_net_add_interface");
}

int klee_net_add_ipv4_address(uint32_t address, uint32_t mask, int primary, uint32_t interface,
                              const char *router) {
  (void)address, (void)mask, (void)primary, (void)interface, (void)router;
  unavailable("klee_net_add_ipv4_address");
}

int klee_net_add_route(uint32_t destination, uint32_t mask, uint32_t gateway, const char *router) {
  (void)destination, (void)mask, (void)gateway, (void)router;
  unavailable("klee_net_add_route");
}

int klee_net_host_setup(const char *hostname, int server, uint32_t sequence) {
  (void)hostname, (void)server, (void)sequence;
  unavailable("klee_net_host_setup");
}

/* Files of a native program are where it wrote them. */
int klee_net_write_filesystem(void) { return 0; }

int klee_net_event_put(const struct net_event *event, const void *data) {
  (void)event, (void)data;
  unavailable("klee_net_event_put");
}

int klee_net_will_get_events(const struct net_event *masks, uint32_t count, uint32_t minimum,
                             uint32_t seconds, uint32_t microseconds) {
  (void)masks, (void)count, (void)minimum, (void)seconds, (void)microseconds;
  unavailable("klee_net_will_get_events");
}

int klee_net_has_pending_events(const struct net_event *masks, uint32_t count, uint32_t minimum) {
  (void)masks, (void)count, (void)minimum;
  unavailable("klee_net_has_pending_events");
}

int klee_net_events_get(struct net_event *events, uint32_t most, const struct net_event *masks,
                        uint32_t count) {
  (void)events, (void)most, (void)masks, (void)count;
  unavailable("klee_net_events_get");
}

int klee_net_event_remove(uint64_t identifier) {
  (void)identifier;
  unavailable("klee_net_event_remove");
}

void *klee_net_event_data_alloc(uint64_t identifier, uint32_t *size) {
  (void)identifier, (void)size;
  unavailable("klee_net_event_data_alloc");
}

void klee_net_event_data_free(void *data) {
  (void)data;
  unavailable("klee_net_event_data_free");
}
