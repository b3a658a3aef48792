/* netklee.h in a replay. The networks are there already, and events have nothing below them that could carry
 * them: each call gives what it gave in the engine, and what the program says is compared. */
#include "turn.h"

/* Bytes of a struct net_event, which is packed, and the most masks that a call may have. */
enum { RECORD_BYTES = 30, MASKS_MAX = 4096 };

/* The arguments of a call by the program. Texts may be NULL. */
struct said {
  uint64_t numbers[4];
  const char *name;
  const char *router;
  const void *records;
  uint32_t record_count;
};

_Noreturn void abort(void);

/* The call makes no sense. In the engine that is a finding, and here it is the end of the program. */
static _Noreturn void refuse(const event *e) {
  static const char mark[] = "everett: ";
  SYSTEM(write, 2, mark, sizeof mark - 1);
  SYSTEM(write, 2, event_data(e), e->data_bytes);
  SYSTEM(write, 2, "\n", 1);
  turn_pass(e);
  abort();
}

/* What the script has no text for could not be a name. */
static void compare_text(const event *e, const char *text, const unsigned char *expected, uint32_t bytes) {
  if (bytes == 0)
    return;
  if (!text || length_of(text) != bytes || memcmp(text, expected, bytes) != 0)
    turn_diverge("it calls %s with %s, expected another name", api_name(e->api), text ? text : "NULL");
}

static void compare_records(const event *e, const struct said *said) {
  uint64_t count = said->record_count < MASKS_MAX ? said->record_count : MASKS_MAX;
  if (e->data2_bytes != count * RECORD_BYTES)
    turn_diverge("it calls %s with %u events or masks, expected %u", api_name(e->api), count,
                 (uint64_t)e->data2_bytes / RECORD_BYTES);
  if (memcmp(event_data2(e), said->records, e->data2_bytes) != 0)
    turn_diverge("it calls %s with an event or mask that is not the expected one", api_name(e->api));
}

/* The event of a call, with what the program says compared. A call that has to wait begins to. */
static const event *said_in(unsigned api, const struct said *said) {
  const event *e = turn_take(api);
  if (e->flags & EVERETT_REFUSED)
    refuse(e);
  /* A node that is one already is told so, whatever it wants to be. */
  int is_told_at_once = api == EVERETT_API_klee_net_host_setup && e->result != 0;
  for (int i = 0; i < 4 && !is_told_at_once; i++)
    if (e->aux[i] != said->numbers[i])
      turn_diverge("it calls %s with %u, expected %u", api_name(api), said->numbers[i], e->aux[i]);
  if (said->records) {
    compare_records(e, said);
  } else {
    compare_text(e, said->name, event_data(e), e->data_bytes);
    compare_text(e, said->router, event_data2(e), e->data2_bytes);
  }
  return e->flags & EVERETT_BLOCKS ? turn_return(e) : e;
}

static int told(const event *e) {
  int result = (int)e->result;
  turn_pass(e);
  return result;
}

/* ---- networks and nodes --------------------------------------------------------------------- */

EXPORT int everett_replay_klee_net_add_network(const char *name) {
  if (!replaying())
    return -E_NOSYS;
  return told(said_in(EVERETT_API_klee_net_add_network, &(struct said){.name = name}));
}

EXPORT int everett_replay_klee_net_add_router(const char *hostname) {
  if (!replaying())
    return -E_NOSYS;
  return told(said_in(EVERETT_API_klee_net_add_router, &(struct said){.name = hostname}));
}

EXPORT int everett_replay_klee_net_add_interface(uint32_t identifier, const char *network, const char *router) {
  if (!replaying())
    return -E_NOSYS;
  struct said said = {.numbers = {identifier}, .name = network, .router = router};
  return told(said_in(EVERETT_API_klee_net_add_interface, &said));
}

EXPORT int everett_replay_klee_net_add_ipv4_address(uint32_t address, uint32_t mask, int primary,
                                                    uint32_t interface, const char *router) {
  if (!replaying())
    return -E_NOSYS;
  struct said said = {.numbers = {address, mask, primary != 0, interface}, .router = router};
  return told(said_in(EVERETT_API_klee_net_add_ipv4_address, &said));
}

EXPORT int everett_replay_klee_net_add_route(uint32_t destination, uint32_t mask, uint32_t gateway,
                                             const char *router) {
  if (!replaying())
    return -E_NOSYS;
  struct said said = {.numbers = {destination, mask, gateway}, .router = router};
  return told(said_in(EVERETT_API_klee_net_add_route, &said));
}

/* The node goes on when it does so in the script. It has had its name and its addresses from the beginning. */
EXPORT int everett_replay_klee_net_host_setup(const char *hostname, int server, uint32_t sequence) {
  if (!replaying())
    return -E_NOSYS;
  struct said said = {.numbers = {server != 0, sequence}, .name = hostname};
  return told(said_in(EVERETT_API_klee_net_host_setup, &said));
}

/* ---- events --------------------------------------------------------------------------------- */

EXPORT int everett_replay_klee_net_event_put(const void *put, const void *data) {
  if (!replaying())
    return -E_NOSYS;
  struct said said = {.records = put, .record_count = 1};
  const event *e = said_in(EVERETT_API_klee_net_event_put, &said);
  size_t at = 0;
  if (!data != (e->data_bytes == 0) || (data && !same_bytes(e, data, e->data_bytes, &at)))
    turn_diverge("it puts an event with other data");
  return told(e);
}

EXPORT int everett_replay_klee_net_will_get_events(const void *masks, uint32_t count, uint32_t minimum,
                                                   uint32_t seconds, uint32_t microseconds) {
  if (!replaying())
    return -E_NOSYS;
  struct said said = {.numbers = {minimum, seconds, microseconds}, .records = masks, .record_count = count};
  return told(said_in(EVERETT_API_klee_net_will_get_events, &said));
}

EXPORT int everett_replay_klee_net_has_pending_events(const void *masks, uint32_t count, uint32_t minimum) {
  if (!replaying())
    return -E_NOSYS;
  struct said said = {.numbers = {minimum}, .records = masks, .record_count = count};
  return told(said_in(EVERETT_API_klee_net_has_pending_events, &said));
}

EXPORT int everett_replay_klee_net_events_get(void *events, uint32_t most, const void *masks, uint32_t count) {
  if (!replaying())
    return -E_NOSYS;
  struct said said = {.numbers = {most}, .records = masks, .record_count = count};
  const event *e = said_in(EVERETT_API_klee_net_events_get, &said);
  memcpy(events, event_data(e), e->data_bytes);
  return told(e);
}

EXPORT int everett_replay_klee_net_event_remove(uint64_t identifier) {
  if (!replaying())
    return -E_NOSYS;
  return told(said_in(EVERETT_API_klee_net_event_remove, &(struct said){.numbers = {identifier}}));
}

/* The data of an event, which stay as long as the replay lasts. */
EXPORT const void *everett_replay_event_data(uint64_t identifier, uint32_t *size) {
  *size = 0;
  if (!replaying())
    return NULL;
  const event *e = turn_take(EVERETT_API_klee_net_event_data_alloc);
  if (e->aux[0] != identifier)
    turn_diverge("it asks for the data of event %u, expected %u", identifier, e->aux[0]);
  *size = e->data_bytes;
  turn_pass(e);
  return event_data(e);
}
