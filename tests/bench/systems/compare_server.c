/* server CLIENTS: each of them sends three packets; the server compares each with what it has to be, and ends with the
 * first that differs. */
#include <assert.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

static const char expected[3][16] = {"first of three", "second of three", "third of three"};

int main(int argc, char **argv) {
  assert(argc == 2);
  int clients = atoi(argv[1]);
  struct sockaddr_in self = {.sin_family = AF_INET, .sin_port = htons(7000)};
  int fd = socket(AF_INET, SOCK_DGRAM, 0);
  assert(bind(fd, (struct sockaddr *)&self, sizeof self) == 0);
  for (int packets = 0; packets < 3 * clients; packets++) {
    struct {
      char number, text[16];
    } packet;
    assert(recv(fd, &packet, sizeof packet, 0) == sizeof packet);
    assert(packet.number >= 0 && packet.number < 3);
    if (memcmp(packet.text, expected[(int)packet.number], sizeof packet.text) != 0)
      return 1;
  }
  return 0;
}
