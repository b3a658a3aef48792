/* A DHCP server for IPv6. Requests come directly or by way of relays, each of which puts a message of its own around
 * what it has received: how many relays there were, the address of the link, the address of the peer, and options. One
 * option has the request, another one the hardware address of the client. */
#include <stddef.h>

#include "../../../systems/ipv6/ipv6.h"

enum { SOLICIT = 1, ADVERTISE = 2, RELAY_FORWARD = 12 };
enum { OPTION_CLIENT_ID = 1, OPTION_RELAY_MESSAGE = 9, OPTION_CLIENT_MAC = 79 };
enum { RELAY_BYTES = 2 + 16 + 16, HARDWARE_MAX = 8, RELAYS_MAX = 2 };

struct options {
  const unsigned char *at, *end;
};

struct request {
  struct in6_addr link;
  int has_link;
  unsigned hardware_type, hardware_length;
  unsigned char hardware[HARDWARE_MAX];
};

static unsigned two_bytes(const unsigned char *at) { return at[0] << 8 | at[1]; }

/* Finds an option of at least some bytes. Returns its data and the length, or NULL if there is none. */
static const unsigned char *find_option(struct options options, unsigned code, unsigned least, unsigned *length) {
  while (options.end - options.at >= 4) {
    unsigned found = two_bytes(options.at);
    *length = two_bytes(options.at + 2);
    if (options.end - options.at - 4 < (ptrdiff_t)*length) return NULL;
    if (found == code && *length >= least) return options.at + 4;
    options.at += 4 + *length;
  }
  return NULL;
}

/* Answers a request that has come without a relay, or out of one. Returns the size of the answer. */
static size_t answer_solicit(const struct request *request, struct options message, unsigned char *answer) {
  unsigned length;
  if (message.end - message.at < 4 || message.at[0] != SOLICIT) return 0;
  answer[0] = ADVERTISE;
  memcpy(answer + 1, message.at + 1, 3); /* the number of the transaction */
  answer[4] = request->has_link;
  answer[5] = request->hardware_length;
  answer[6] = find_option((struct options){message.at + 4, message.end}, OPTION_CLIENT_ID, 1, &length) != NULL;
  return 7;
}

/* Takes a message out of its relays. */
static size_t answer_message(struct request *request, struct options message, int relays, unsigned char *answer) {
  unsigned length;
  if (message.at == message.end) return 0;
  if (message.at[0] != RELAY_FORWARD) return answer_solicit(request, message, answer);
  if (message.end - message.at < RELAY_BYTES || relays == RELAYS_MAX) return 0;
  memcpy(&request->link, message.at + 2, sizeof request->link);
  request->has_link = 1;

  struct options options = {message.at + RELAY_BYTES, message.end};
  const unsigned char *hardware = find_option(options, OPTION_CLIENT_MAC, 3, &length);
#ifdef REPAIRED
  if (hardware != NULL && length - 2 > HARDWARE_MAX) return 0;
#endif
  if (hardware != NULL) {
    request->hardware_type = two_bytes(hardware);
    request->hardware_length = length - 2;
    memcpy(request->hardware, hardware + 2, request->hardware_length);
  }
  const unsigned char *inner = find_option(options, OPTION_RELAY_MESSAGE, 4, &length);
  if (inner == NULL) return 0;
  return answer_message(request, (struct options){inner, inner + length}, relays + 1, answer);
}

int main(void) {
  int fd = bound6(SOCK_DGRAM, 5547, 1);
  for (;;) {
    struct sockaddr_in6 peer;
    socklen_t peer_size = sizeof peer;
    unsigned char bytes[128], answer[16];
    ssize_t size = recvfrom(fd, bytes, sizeof bytes, 0, (struct sockaddr *)&peer, &peer_size);
    assert(size >= 0);
    struct request request = {0};
    size_t answered = answer_message(&request, (struct options){bytes, bytes + size}, 0, answer);
    if (answered > 0) sendto(fd, answer, answered, 0, (struct sockaddr *)&peer, peer_size);
  }
}
