/* A connection, made of nothing but events: request, reply, data, close. */
#include <assert.h>
#include <errno.h>
#include <klee/klee.h>
#include <netklee.h>
#include <stdlib.h>
#include <string.h>

static volatile int small, medium, large;

#define SERVER klee_net_make_ipv4(10, 0, 0, 1)
#define CLIENT klee_net_make_ipv4(10, 0, 0, 2)

/* Waits for an event and takes it out. */
static struct net_event take(struct net_event mask) {
  struct net_event event;
  assert(klee_net_will_get_events(&mask, 1, 1, 0, 0) >= 1);
  assert(klee_net_events_get(&event, 1, &mask, 1) == 1);
  assert(klee_net_has_pending_events(&event, 1, 1) == 1);
  return event;
}

static int serve(void) {
  struct net_event request = take((struct net_event){.type = net_event_type_request, .to_port = 7});
  assert(request.from_ip == CLIENT && request.to_ip == SERVER && request.req_id == 42);
  assert(klee_net_event_remove(request.identifier) == 0);
  assert(klee_net_event_remove(request.identifier) == -ENOENT);
  struct net_event reply = {net_event_type_reply, 0, 0, request.from_ip, 7, request.from_port, 42, 5};
  assert(klee_net_event_put(&reply, NULL) == 0);

  struct net_event both = {.type = net_event_type_data | net_event_type_close, .con_id = 5};
  struct net_event events[3];
  assert(klee_net_will_get_events(&both, 1, 3, 0, 0) == 3);
  assert(klee_net_has_pending_events(&both, 1, 4) == 0);
  assert(klee_net_events_get(events, 3, &both, 1) == 3);
  assert(events[0].type == net_event_type_data && events[2].type == net_event_type_close);
  assert(events[0].identifier != events[1].identifier);
  uint32_t size;
  char *first = klee_net_event_data_alloc(events[0].identifier, &size);
  assert(size == 4 && memcmp(first, "data", 4) == 0);
  klee_net_event_data_free(first);
  unsigned char *second = klee_net_event_data_alloc(events[1].identifier, NULL);
  if (second[0] < 10) {
    small++;
  } else if (second[0] < 20) {
    medium++;
    assert(second[1] == 0); // mark: twenty
  } else {
    assert(second[0] < 200); /* What the sender assumed has come along. */
    large++;
  }
  klee_net_event_data_free(second);
  assert(klee_net_event_data_alloc(events[2].identifier, &size) == NULL && size == 0);
  return 0;
}

static int ask(void) {
  struct net_event request = {net_event_type_request, 0, 0, SERVER, 9, 7, 42, 0};
  assert(klee_net_event_put(&request, NULL) == 0);
  struct net_event late = {.type = net_event_type_close};
  assert(klee_net_will_get_events(&late, 1, 1, 0, 500) == 0);
  struct net_event reply = take(
      (struct net_event){net_event_type_reply, 0, SERVER, CLIENT, 7, 9, request.req_id, 0});
  assert(reply.con_id == 5);

  struct net_event data = {net_event_type_data, 0, 0, SERVER, 9, 7, 0, 5};
  char *text = malloc(4);
  memcpy(text, "data", 4);
  assert(klee_net_event_put(&data, text) == 0);
  free(text);
  unsigned char input[2];
  klee_make_symbolic(input, sizeof input, "input");
  klee_assume(input[0] < 200);
  assert(klee_net_event_put(&data, input) == 0);
  struct net_event end = {net_event_type_close, 0, 0, SERVER, 9, 7, 0, 5};
  assert(klee_net_event_put(&end, NULL) == 0);
  return 0;
}

int main(void) {
  klee_net_add_network("net0");
  int server = klee_range(0, 2, "server");
  klee_net_add_interface(1, "net0", NULL);
  if (server) {
    klee_net_add_ipv4_address(SERVER, 24, 1, 1, NULL);
    klee_net_host_setup("server", 0, 0);
    return serve();
  }
  klee_net_add_ipv4_address(CLIENT, 24, 1, 1, NULL);
  klee_net_host_setup("client", 0, 1);
  return ask();
}
