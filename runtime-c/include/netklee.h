/* Systems of several nodes, as a program sees them: networks, nodes that a program makes itself, and
 * events between nodes.
 *
 * A program can be run as a node of a scenario file and know nothing of this header. It can also make
 * the nodes of the system itself, alone and without a scenario:
 *
 *   int main(void) {
 *     klee_net_add_network("lan");
 *     int node = klee_range(0, 2, "node");
 *     klee_net_add_interface(1, "lan", NULL);
 *     klee_net_add_ipv4_address(klee_net_make_ipv4(10, 0, 0, node + 1), 0, 1, 1, NULL);
 *     klee_net_host_setup(node == 0 ? "server" : "client", node == 0, 0);
 *     return node == 0 ? server() : client();
 *   }
 *
 * The path forks where it branches on a symbolic input. A path that calls klee_net_host_setup waits
 * there; when all have called it, or have ended, each that waits becomes a node, and they run as one
 * system. What was made symbolic before has one value on each node from then on, the smallest that its
 * path allows; with several possible, the summary counts it.
 *
 * Functions that return int return 0, or the negative of an error number of <errno.h>:
 *   -ENOENT     a network, router, interface or event that is not there
 *   -EEXIST     it is there already
 *   -EINVAL     a name, mask or event that cannot be
 *   -EALREADY   the nodes are made already
 *
 * Addresses are in network byte order, as in struct in_addr. Natively, all of this works in a replay
 * (everett replay --native), as it did in the engine; otherwise a program that calls it ends with a
 * message. */
#ifndef NETKLEE_H
#define NETKLEE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- networks and nodes -------------------------------------------------------------------- */

/* The address a.b.c.d. */
uint32_t klee_net_make_ipv4(uint8_t a, uint8_t b, uint8_t c, uint8_t d);

/* Declares a network. Networks that several paths declare under one name are one network. Its subnet is
 * that of the first address on it. */
int klee_net_add_network(const char *name);

/* Declares a router: a host without a program that forwards. A router that several paths declare has to
 * be the same on all of them. */
int klee_net_add_router(const char *hostname);

/* Attaches a router, or with NULL the node of this path, to a network. The identifier is any number that
 * no other interface of the host has. */
int klee_net_add_interface(uint32_t identifier, const char *network, const char *router);

/* Gives an interface an address. The mask is the length of a prefix or an address such as 255.255.0.0;
 * 0 is 255.255.255.0. The primary address is the one that packets come from; an interface has one at
 * most, and that of the first interface stands for the host. An interface without any address gets a
 * free one. */
int klee_net_add_ipv4_address(uint32_t address, uint32_t mask, int primary, uint32_t interface,
                              const char *router);

/* Adds a route through a gateway, which is a router. Destination 0 with mask 0 is everywhere. A host
 * without routes gets those to all networks that routers lead to. */
int klee_net_add_route(uint32_t destination, uint32_t mask, uint32_t gateway, const char *router);

/* Makes this path a node, and returns when all other paths have done the same or have ended. Nodes are
 * numbered by sequence number and name. Those with `server` begin first, and may wait for work for ever
 * when all others are done, which is a deadlock otherwise; among equals a node begins when those with
 * lower sequence numbers have first had to wait. */
int klee_net_host_setup(const char *hostname, int server, uint32_t sequence);

/* Exposes a copy of the data to invariants, for a state of this node and a key that the program chooses. */
void klee_invariant_expose_data(int state, const char *key, const void *data, size_t size);

/* Hands the files that this path has changed to the user. */
int klee_net_write_filesystem(void);

/* ---- events -------------------------------------------------------------------------------- */

enum net_event_type {
  net_event_type_none = 0,
  net_event_type_data = 1 << 0,    /* bytes */
  net_event_type_request = 1 << 1, /* asks for a connection */
  net_event_type_reply = 1 << 2,   /* answers a request */
  net_event_type_close = 1 << 3    /* ends a connection */
};

/* An event. As a mask it describes events: those that have one of its types, and its values in all fields
 * that are not 0. A mask without a type describes none. */
struct net_event {
  uint16_t type;
  uint64_t identifier; /* of a received event; no two have the same */
  uint32_t from_ip, to_ip;
  uint16_t from_port, to_port; /* mean what programs agree on */
  uint32_t req_id;             /* likewise */
  uint32_t con_id;
} __attribute__((__packed__));

/* Sends an event, which has exactly one type, to the node with its address to_ip, and with it the whole
 * object that data points to the beginning of, or with NULL nothing. Bytes may be symbolic. A from_ip of 0
 * is filled in, as is the identifier, whatever it is. Further errors: -ENETUNREACH and -EHOSTUNREACH if
 * there is no way, -ECONNREFUSED if the address is a router's, -EADDRNOTAVAIL if from_ip is not an address
 * of this node. */
int klee_net_event_put(const struct net_event *event, const void *data);

/* Waits until at least `minimum` events have come that one of the masks describes, or until the time is
 * over; with 0 and 0 it waits for ever. Returns how many there are, or -EINTR. */
int klee_net_will_get_events(const struct net_event *masks, uint32_t count, uint32_t minimum,
                             uint32_t seconds, uint32_t microseconds);

/* How many there are, without waiting; 0 if there are fewer than `minimum`. */
int klee_net_has_pending_events(const struct net_event *masks, uint32_t count, uint32_t minimum);

/* Copies events that one of the masks describes, the oldest first and `most` of them at most, and returns
 * how many. They stay where they are until they are removed. */
int klee_net_events_get(struct net_event *events, uint32_t most, const struct net_event *masks,
                        uint32_t count);

/* Removes an event. */
int klee_net_event_remove(uint64_t identifier);

/* A copy of what an event carries, in a new object, and its size; NULL and 0 if that is nothing, or if
 * there is no such event. size may be NULL. */
void *klee_net_event_data_alloc(uint64_t identifier, uint32_t *size);
void klee_net_event_data_free(void *data);

#ifdef __cplusplus
}
#endif

#endif
