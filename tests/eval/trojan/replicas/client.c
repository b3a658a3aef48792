/* Sends a request with any command, number and flags, to be answered by any replica. */
#include <everett.h>

#include "../../../systems/sockets.h"
#include "message.h"

int main(void) {
  int fd = connected(SOCK_DGRAM, "replica0", PORT);
  struct request request = {.tag = REQUEST, .size = sizeof request, .command_size = COMMAND_BYTES};
  uint8_t is_read_only, replier, client, command[COMMAND_BYTES];
  uint16_t number;
  everett_symbolic(is_read_only);
  everett_symbolic(replier);
  everett_symbolic(client);
  everett_symbolic(number);
  everett_symbolic(command);
  if (replier >= REPLICAS || client >= CLIENTS || number == 0) return 0;
  request.flags = is_read_only ? READ_ONLY : 0;
  request.replier = replier;
  request.client = client;
  request.number = number;
  memcpy(request.command, command, COMMAND_BYTES);
  digest_of(&request, request.digest);
  for (int i = 0; i < REPLICAS; i++) code_of(&request, i, request.codes[i]);
  assert(send(fd, &request, sizeof request, 0) == sizeof request);
  return 0;
}
