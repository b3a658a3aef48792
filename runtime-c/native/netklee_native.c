/* netklee.h for a program that runs natively. There are no simulated networks here, so every function says
 * so and ends the program, unless it is replayed as a part of a system (runtime-c/replay): then it does what
 * it did in the engine. */
#include <netklee.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Noreturn void unavailable(const char *function) {
  fflush(stdout);
  fprintf(stderr,
          "klee replay: %s needs the engine: run this program with everett, or one of its tests with "
          "everett replay --native\n",
          function);
  exit(1);
}

/* There in a replay: the function of the same type, or one of its own. */
#define REPLAYED(function) __attribute__((weak)) __typeof__(function) everett_replay_##function
REPLAYED(klee_net_add_network);
REPLAYED(klee_net_add_router);
REPLAYED(klee_net_add_interface);
REPLAYED(klee_net_add_ipv4_address);
REPLAYED(klee_net_add_route);
REPLAYED(klee_net_host_setup);
REPLAYED(klee_net_event_put);
REPLAYED(klee_net_will_get_events);
REPLAYED(klee_net_has_pending_events);
REPLAYED(klee_net_events_get);
REPLAYED(klee_net_event_remove);
__attribute__((weak)) void everett_replay_expose(int state, const char *key, const void *data, size_t size);
__attribute__((weak)) const void *everett_replay_event_data(uint64_t identifier, uint32_t *size);
__attribute__((weak)) void everett_replay_apart(int begins);

/* Returns what the function gives in a replay. */
#define PASS_ON(function, ...)                       \
  do {                                               \
    if (!everett_replay_##function)                  \
      unavailable(#function);                        \
    return everett_replay_##function(__VA_ARGS__);   \
  } while (0)

uint32_t klee_net_make_ipv4(uint8_t a, uint8_t b, uint8_t c, uint8_t d) {
  return (uint32_t)a | (uint32_t)b << 8 | (uint32_t)c << 16 | (uint32_t)d << 24;
}

/* Invariants are checked elsewhere; in a replay, the data has to be the same. */
void klee_invariant_expose_data(int state, const char *key, const void *data, size_t size) {
  if (everett_replay_expose)
    everett_replay_expose(state, key, data, size);
}

int klee_net_add_network(const char *name) { PASS_ON(klee_net_add_network, name); }

int klee_net_add_router(const char *hostname) { PASS_ON(klee_net_add_router, hostname); }

int klee_net_add_interface(uint32_t identifier, const char *network, const char *router) {
  PASS_ON(klee_net_add_interface, identifier, network, router);
}

int klee_net_add_ipv4_address(uint32_t address, uint32_t mask, int primary, uint32_t interface,
                              const char *router) {
  PASS_ON(klee_net_add_ipv4_address, address, mask, primary, interface, router);
}

int klee_net_add_route(uint32_t destination, uint32_t mask, uint32_t gateway, const char *router) {
  PASS_ON(klee_net_add_route, destination, mask, gateway, router);
}

int klee_net_host_setup(const char *hostname, int server, uint32_t sequence) {
  PASS_ON(klee_net_host_setup, hostname, server, sequence);
}

/* Files of a native program are where it wrote them. */
int klee_net_write_filesystem(void) { return 0; }

int klee_net_event_put(const struct net_event *event, const void *data) {
  PASS_ON(klee_net_event_put, event, data);
}

int klee_net_will_get_events(const struct net_event *masks, uint32_t count, uint32_t minimum,
                             uint32_t seconds, uint32_t microseconds) {
  PASS_ON(klee_net_will_get_events, masks, count, minimum, seconds, microseconds);
}

int klee_net_has_pending_events(const struct net_event *masks, uint32_t count, uint32_t minimum) {
  PASS_ON(klee_net_has_pending_events, masks, count, minimum);
}

int klee_net_events_get(struct net_event *events, uint32_t most, const struct net_event *masks,
                        uint32_t count) {
  PASS_ON(klee_net_events_get, events, most, masks, count);
}

int klee_net_event_remove(uint64_t identifier) { PASS_ON(klee_net_event_remove, identifier); }

/* The copy is the program's to free; that it is allocated is not a call of the program. */
void *klee_net_event_data_alloc(uint64_t identifier, uint32_t *size) {
  if (!everett_replay_event_data)
    unavailable("klee_net_event_data_alloc");
  uint32_t bytes;
  const void *data = everett_replay_event_data(identifier, &bytes);
  if (size)
    *size = bytes;
  if (bytes == 0)
    return NULL;
  everett_replay_apart(1);
  void *copy = malloc(bytes);
  everett_replay_apart(0);
  return copy ? memcpy(copy, data, bytes) : NULL;
}

void klee_net_event_data_free(void *data) {
  if (!everett_replay_event_data)
    unavailable("klee_net_event_data_free");
  free(data);
}
