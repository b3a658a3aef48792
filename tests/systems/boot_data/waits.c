/* Two nodes that know each other by name. One answers only some of what the other asks, which waits then. */
#include <assert.h>
#include <klee/klee.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netklee.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static uint32_t address_of(const char *name) {
  struct addrinfo wanted = {.ai_family = AF_INET, .ai_socktype = SOCK_DGRAM}, *found;
  assert(getaddrinfo(name, NULL, &wanted, &found) == 0);
  uint32_t address = ((struct sockaddr_in *)found->ai_addr)->sin_addr.s_addr;
  freeaddrinfo(found);
  return address;
}

/* Waits for an event from somebody, and gives the first byte that it carries. */
static int next_byte(struct net_event mask) {
  struct net_event event;
  assert(klee_net_will_get_events(&mask, 1, 1, 0, 0) == 1); // mark: answer
  assert(klee_net_events_get(&event, 1, &mask, 1) == 1);
  char *data = klee_net_event_data_alloc(event.identifier, NULL);
  int byte = data[0];
  klee_net_event_data_free(data);
  assert(klee_net_event_remove(event.identifier) == 0);
  return byte;
}

static int answer(void) {
  struct net_event request = {.type = net_event_type_request};
  int asked = next_byte(request);
  struct net_event reply = {.type = net_event_type_reply, .to_ip = address_of("asks")};
  char data[1] = {1};
  if (asked > 0)
    assert(klee_net_event_put(&reply, data) == 0);
  return 0;
}

static int ask(void) {
  struct net_event request = {.type = net_event_type_request, .to_ip = address_of("answers")};
  char byte[1];
  klee_make_symbolic(byte, 1, "byte");
  assert(klee_net_event_put(&request, byte) == 0);
  struct net_event reply = {.type = net_event_type_reply, .from_ip = address_of("answers")};
  return next_byte(reply) - 1;
}

int main(void) {
  /* What a program does before it is a node belongs to the node. */
  time_t before = time(NULL);
  FILE *notes = fopen("notes", "w");
  fprintf(notes, "%ld\n", (long)before);
  fclose(notes);
  assert(klee_net_add_network("lan") == 0);
  int asks = klee_range(0, 2, "asks");
  assert(klee_net_add_interface(1, "lan", NULL) == 0);
  assert(klee_net_host_setup(asks ? "asks" : "answers", !asks, 0) == 0);
  char name[64];
  assert(gethostname(name, sizeof name) == 0 && strcmp(name, asks ? "asks" : "answers") == 0);
  long noted = 0;
  notes = fopen("notes", "r");
  assert(fscanf(notes, "%ld", &noted) == 1 && noted == before);
  fclose(notes);
  return asks ? ask() : answer();
}
