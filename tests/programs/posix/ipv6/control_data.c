// The interface, the address and the hops of a datagram come along with it.
#include "net6.h"

int main(void) {
  int server = bound6(SOCK_DGRAM, "::");
  SHOW(set(server, IPPROTO_IPV6, IPV6_RECVPKTINFO, 1));
  SHOW(set(server, IPPROTO_IPV6, IPV6_RECVHOPLIMIT, 1));
  SHOW(set(server, IPPROTO_IPV6, IPV6_RECVTCLASS, 1));
  int client = socket(AF_INET6, SOCK_DGRAM, 0);
  SHOW(set(client, IPPROTO_IPV6, IPV6_UNICAST_HOPS, 5));
  const char *to[] = {"::1", "::ffff:127.0.0.1"};
  for (int i = 0; i < 2; i++) {
    Inet6 a = at6(to[i], port6_of(server));
    SHOW(sendto(client, "data", 4, 0, ADDRESS(a), sizeof a));
    char text[8], control[256];
    struct iovec part = {text, sizeof text};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
    SHOW(recvmsg(server, &message, 0));
    for (struct cmsghdr *c = CMSG_FIRSTHDR(&message); c; c = CMSG_NXTHDR(&message, c)) {
      printf("level %d type %d of %zu bytes", c->cmsg_level, c->cmsg_type, (size_t)c->cmsg_len);
      if (c->cmsg_type == IPV6_PKTINFO) {
        struct in6_pktinfo info;
        char name[INET6_ADDRSTRLEN];
        memcpy(&info, CMSG_DATA(c), sizeof info);
        printf(": %s on %u", inet_ntop(AF_INET6, &info.ipi6_addr, name, sizeof name), info.ipi6_ifindex);
      } else {
        int value;
        memcpy(&value, CMSG_DATA(c), sizeof value);
        printf(": %d", value);
      }
      printf("\n");
    }
  }
  return 0;
}
