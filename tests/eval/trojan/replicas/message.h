/* Requests of clients to a replicated service, after the published description of PBFT: a header, a digest of what is
 * asked for, the command, and an authentication code for each replica. Numbers have their lower byte first. */
#ifndef MESSAGE_H
#define MESSAGE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { PORT = 3669, REPLICAS = 4, CLIENTS = 2, COMMAND_BYTES = 6, DIGEST_BYTES = 2, CODE_BYTES = 1 };
enum { REQUEST = 1, PRE_PREPARE = 2, PREPARE = 3, VIEW_CHANGE = 4 };
/* A flag of a request: it changes nothing. */
enum { READ_ONLY = 1 };

struct request {
  uint16_t tag, flags;
  uint32_t size;
  uint8_t digest[DIGEST_BYTES];
  uint16_t replier, command_size, client, number;
  uint8_t command[COMMAND_BYTES];
  uint8_t codes[REPLICAS][CODE_BYTES];
};

/* The agreement on a request that the first replica starts. */
struct pre_prepare {
  uint16_t tag, number;
  struct request request;
};

/* The digest is the second sum of Fletcher: that of the sums of all bytes so far, after each byte. */
static inline void digest_of(const struct request *request, uint8_t digest[DIGEST_BYTES]) {
  uint8_t bytes[sizeof request->client + sizeof request->number + COMMAND_BYTES];
  memcpy(bytes, &request->client, 2);
  memcpy(bytes + 2, &request->number, 2);
  memcpy(bytes + 4, request->command, COMMAND_BYTES);
  uint16_t first = 0x5a, second = 0xa5;
  for (size_t i = 0; i < sizeof bytes; i++) {
    first += bytes[i];
    second += first;
  }
  memcpy(digest, &second, DIGEST_BYTES);
}

/* The code of a request for a replica. Only the two of them have the key. */
static inline void code_of(const struct request *request, int replica, uint8_t code[CODE_BYTES]) {
  static const uint16_t keys[REPLICAS] = {0x36c2, 0x9ae1, 0xf75d, 0x214b};
  uint16_t a = keys[replica], b = ~keys[replica];
  for (int i = 0; i < DIGEST_BYTES; i++) {
    a ^= request->digest[i];
    a = (uint16_t)((a << 9 | a >> 7) + b);
    b = (uint16_t)((b << 5 | b >> 11) ^ a);
  }
  memcpy(code, &b, CODE_BYTES);
}

#endif
