// Events that a node sends to itself arrive at once, match by masks, and stay until they are removed.
//@ paths: 2
#include <assert.h>
#include <errno.h>
#include <klee/klee.h>
#include <netklee.h>
#include <stdlib.h>
#include <time.h>

#define HERE klee_net_make_ipv4(127, 0, 0, 1)

static int count(struct net_event mask) { return klee_net_has_pending_events(&mask, 1, 1); }

static void put(uint16_t type, uint16_t port, const void *data) {
  struct net_event event = {.type = type, .to_ip = HERE, .to_port = port, .req_id = 3};
  assert(klee_net_event_put(&event, data) == 0);
}

static void refused(void) {
  struct net_event event = {.type = net_event_type_data | net_event_type_close, .to_ip = HERE};
  assert(klee_net_event_put(&event, NULL) == -EINVAL);
  event.type = net_event_type_none;
  assert(klee_net_event_put(&event, NULL) == -EINVAL);
  event.type = 16;
  assert(klee_net_event_put(&event, NULL) == -EINVAL);
  event.type = net_event_type_data;
  event.from_ip = klee_net_make_ipv4(10, 9, 8, 7);
  assert(klee_net_event_put(&event, NULL) == -EADDRNOTAVAIL);
  event.from_ip = 0;
  event.to_ip = klee_net_make_ipv4(10, 9, 8, 7);
  assert(klee_net_event_put(&event, NULL) == -ENETUNREACH);
}

int main(void) {
  struct net_event any = {.type = 15};
  assert(count(any) == 0 && klee_net_will_get_events(&any, 1, 0, 0, 0) == 0);
  struct timespec before, after;
  clock_gettime(CLOCK_MONOTONIC, &before);
  assert(klee_net_will_get_events(&any, 1, 1, 2, 500000) == 0);
  clock_gettime(CLOCK_MONOTONIC, &after);
  assert((after.tv_sec - before.tv_sec) * 1000 + (after.tv_nsec - before.tv_nsec) / 1000000 == 2500);

  char *data = malloc(3);
  klee_make_symbolic(data, 3, "data");
  put(net_event_type_data, 80, data);
  put(net_event_type_request, 80, NULL);
  put(net_event_type_request, 81, NULL);
  data[0] = 'x'; /* What was sent does not change. */
  assert(count(any) == 3 && count((struct net_event){.type = 0}) == 0);
  assert(count((struct net_event){.type = net_event_type_request}) == 2);
  assert(count((struct net_event){.type = 3, .to_port = 80}) == 2);
  assert(count((struct net_event){.type = 15, .from_ip = HERE, .req_id = 3}) == 3);
  assert(count((struct net_event){.type = 15, .req_id = 4}) == 0);
  struct net_event masks[2] = {{.type = net_event_type_data}, {.type = 15, .to_port = 81}}, found[3];
  assert(klee_net_will_get_events(masks, 2, 2, 0, 0) == 2);
  assert(klee_net_events_get(found, 3, masks, 2) == 2 && found[1].to_port == 81);
  assert(klee_net_events_get(found, 1, masks, 2) == 1 && found[0].type == net_event_type_data);

  uint32_t size;
  char *copy = klee_net_event_data_alloc(found[0].identifier, &size);
  assert(size == 3 && copy[1] == data[1]);
  if (copy[0] == 'y')
    size = 4;
  klee_net_event_data_free(copy);
  klee_net_event_data_free(NULL);
  assert(klee_net_event_data_alloc(12345, &size) == NULL && size == 0);
  assert(klee_net_event_remove(found[0].identifier) == 0 && count(any) == 2);
  assert(klee_net_event_remove(found[0].identifier) == -ENOENT);
  free(data);
  refused();
  return 0;
}
