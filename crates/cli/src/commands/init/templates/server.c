/* A server that counts what is in stock. Replace it with a server of yours: programs need no change to run as
 * nodes of a system.
 */
#include <arpa/inet.h>
#include <assert.h>
#include <sys/socket.h>

enum { PORT = 7000, STOCK = 2, TAKE = 0, GIVE_BACK = 1 };

int main(void) {
  int server = socket(AF_INET, SOCK_DGRAM, 0);
  struct sockaddr_in self = {.sin_family = AF_INET, .sin_port = htons(PORT)};
  if (bind(server, (struct sockaddr *)&self, sizeof self) != 0)
    return 1;
  int left = STOCK;
  for (;;) {
    unsigned char request;
    struct sockaddr_in client;
    socklen_t length = sizeof client;
    if (recvfrom(server, &request, 1, 0, (struct sockaddr *)&client, &length) != 1)
      continue;
    if (request == TAKE && left > 0)
      left--;
    if (request == GIVE_BACK)
      left++; /* a bug that Everett finds: perhaps nothing was taken */
    /* What has to hold in every world. */
    assert(left <= STOCK && "more in stock than there is");
    sendto(server, &left, sizeof left, 0, (struct sockaddr *)&client, length);
  }
}
