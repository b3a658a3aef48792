/* Sells two tickets. Two windows ask for one ticket each, and cancel it or not. */
#include <arpa/inet.h>
#include <assert.h>
#include <sys/socket.h>

enum { BUY, CANCEL };

int main(void) {
  int office = socket(AF_INET, SOCK_DGRAM, 0);
  struct sockaddr_in self = {.sin_family = AF_INET, .sin_port = htons(7000)};
  assert(bind(office, (struct sockaddr *)&self, sizeof self) == 0);
  int left = 2;
  for (;;) {
    char request;
    struct sockaddr_in window;
    socklen_t length = sizeof window;
    if (recvfrom(office, &request, 1, 0, (struct sockaddr *)&window, &length) != 1)
      continue;
    if (request == BUY && left > 0)
      left--;
    if (request == CANCEL) /* whether or not it was bought */
      left++;
    assert(left <= 2 && "more tickets than seats");
    sendto(office, &left, sizeof left, 0, (struct sockaddr *)&window, length);
  }
}
