/* Files entries by kind, and weighs their texts. That takes branches for each character, so the texts of one kind have
 * 1,024 paths or more. */
#include "../../../systems/sockets.h"
#include "message.h"

/* The shelf for a kind, or 0 if there is none. */
static int shelf_of(uint8_t kind) {
  switch (kind) {
  case BOOK: return 12;
  case JOURNAL: return 31;
  case MAP: return 7;
  case LETTER: return 44;
  case DRAWING: return 8;
  case PHOTOGRAPH: return 9;
  case RECORDING: return 52;
  case FILM: return 58;
  case MANUSCRIPT: return 3;
  default: return 0;
  }
}

/* The number of digits and letters of a text. */
static int weight_of(const uint8_t text[TEXT_BYTES]) {
  int weight = 0;
  for (int i = 0; i < TEXT_BYTES; i++) {
    if (text[i] >= '0' && text[i] <= '9')
      weight += 1;
    else if ((text[i] | 0x20) >= 'a' && (text[i] | 0x20) <= 'z')
      weight += 10;
  }
  return weight;
}

int main(void) {
  int fd = bound(SOCK_DGRAM, PORT);
  int weights[64] = {0};
  for (;;) {
    struct entry entry;
    struct sockaddr_in peer;
    socklen_t peer_size = sizeof peer;
    ssize_t size = recvfrom(fd, &entry, sizeof entry, MSG_TRUNC, (struct sockaddr *)&peer, &peer_size);
    int shelf = size == sizeof entry ? shelf_of(entry.kind) : 0;
    if (shelf == 0) continue;
    weights[shelf] += weight_of(entry.text);
    sendto(fd, "k", 1, 0, (struct sockaddr *)&peer, peer_size);
  }
}
