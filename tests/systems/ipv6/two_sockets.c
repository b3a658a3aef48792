/* Two datagram sockets of one port, one for each family, as many servers have them: each gets what is sent to its own,
 * and answers with it. */
#include "ipv6.h"
#include <poll.h>

int main(void) {
  struct pollfd sockets[2] = {{bound6(SOCK_DGRAM, 7000, 1), POLLIN, 0}, {bound(SOCK_DGRAM, 7000), POLLIN, 0}};
  for (int left = 2; left > 0;) {
    assert(poll(sockets, 2, -1) > 0);
    for (int i = 0; i < 2; i++) {
      if (!(sockets[i].revents & POLLIN))
        continue;
      char request[16], answer[16];
      struct sockaddr_storage from;
      socklen_t size = sizeof from;
      ssize_t length = recvfrom(sockets[i].fd, request, sizeof request, 0, (struct sockaddr *)&from, &size);
      assert(length == 1);
      assert(from.ss_family == (i == 0 ? AF_INET6 : AF_INET));
      assert((i == 0) == (request[0] == '6'));
      assert(left == 2 || request[0] == '4'); // mark: last
      snprintf(answer, sizeof answer, "%s", i == 0 ? text_of(&from) : "four");
      assert(sendto(sockets[i].fd, answer, strlen(answer), 0, (struct sockaddr *)&from, size) > 0);
      left--;
    }
  }
  return 0;
}
