/* The first replica: numbers requests, and starts the agreement on them. It checks all but the codes. What it knows of
 * earlier requests is any state that it can be in. */
#include <everett.h>

#include "../../../systems/sockets.h"
#include "message.h"

/* The number of the last request of each client. */
static uint16_t last[CLIENTS];

static int is_valid(const struct request *request) {
  uint8_t digest[DIGEST_BYTES];
  if (request->tag != REQUEST || request->size != sizeof *request) return 0;
  if (request->command_size != COMMAND_BYTES || (request->flags & ~READ_ONLY)) return 0;
  if (request->replier >= REPLICAS || request->client >= CLIENTS) return 0;
  if (request->number <= last[request->client]) return 0;
  digest_of(request, digest);
  return memcmp(digest, request->digest, DIGEST_BYTES) == 0;
}

int main(void) {
  int fd = bound(SOCK_DGRAM, PORT);
  struct sockaddr_in backups[REPLICAS - 1];
  for (int i = 1; i < REPLICAS; i++) {
    char name[] = "replica0";
    name[7] = '0' + i;
    backups[i - 1] = address_of(name, PORT);
  }
  everett_symbolic_state(last, sizeof last);
  for (uint16_t number = 1;;) {
    struct pre_prepare message = {.tag = PRE_PREPARE, .number = number};
    ssize_t size = recv(fd, &message.request, sizeof message.request, MSG_TRUNC);
    if (size != sizeof message.request || !is_valid(&message.request)) continue;
    last[message.request.client] = message.request.number;
    number++;
    for (int i = 0; i < REPLICAS - 1; i++) {
      struct sockaddr *to = (struct sockaddr *)&backups[i];
      sendto(fd, &message, sizeof message, 0, to, sizeof backups[i]); // mark: pre_prepare
    }
  }
}
