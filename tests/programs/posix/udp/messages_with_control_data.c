// sendmsg and recvmsg: buffers, addresses, and what options add: where a datagram went, and its hops.
#include "../socket/net.h"
#include <sys/syscall.h>

static struct msghdr message(void *name, socklen_t len, struct iovec *list, int count, void *control, size_t room) {
  return (struct msghdr){.msg_name = name,
                         .msg_namelen = len,
                         .msg_iov = list,
                         .msg_iovlen = count,
                         .msg_control = control,
                         .msg_controllen = room};
}

int main(void) {
  int a = at_free_port(SOCK_DGRAM), b = at_free_port(SOCK_DGRAM);
  Inet to = name_of(a), from;
  need(set(a, IPPROTO_IP, IP_PKTINFO, 1) == 0 && set(a, IPPROTO_IP, IP_RECVTTL, 1) == 0, "options");
  need(set(b, IPPROTO_IP, IP_TTL, 33) == 0, "ttl");
  struct iovec out[2] = {{"two ", 4}, {"parts", 5}};
  struct msghdr m = {.msg_name = &to, .msg_namelen = sizeof to, .msg_iov = out, .msg_iovlen = 2};
  SHOW(sendmsg(b, &m, 0));
  SHOW(sendmsg(b, &m, 0));
  char data[32], control[256];
  struct iovec in = {data, sizeof data};
  m = message(&from, sizeof from, &in, 1, control, sizeof control);
  ssize_t n = recvmsg(a, &m, 0);
  printf("%zd [%.*s] %u %d\n", n, (int)n, data, (unsigned)m.msg_namelen, m.msg_flags);
  IS(from.sin_port == name_of(b).sin_port);
  for (struct cmsghdr *c = CMSG_FIRSTHDR(&m); c; c = CMSG_NXTHDR(&m, c)) {
    if (c->cmsg_level == IPPROTO_IP && c->cmsg_type == IP_PKTINFO) {
      struct in_pktinfo *info = (struct in_pktinfo *)CMSG_DATA(c);
      printf("to %s", inet_ntoa(info->ipi_addr));
      printf(" at %s, interface %d\n", inet_ntoa(info->ipi_spec_dst), (int)info->ipi_ifindex);
    }
    if (c->cmsg_level == IPPROTO_IP && c->cmsg_type == IP_TTL)
      printf("ttl %d\n", *(int *)CMSG_DATA(c));
  }
  // Too little room for it.
  m = message(NULL, 0, &in, 1, control, 8);
  SHOW(recvmsg(a, &m, 0));
  IS(m.msg_flags & MSG_CTRUNC);
  NUM(m.msg_controllen);
  m = message(NULL, 0, &in, 2000, NULL, 0);
  SHOW(recvmsg(a, &m, MSG_DONTWAIT));
  // The C library looks at the message first, so the call is made without it.
  SHOW(syscall(SYS_recvmsg, a, unmapped, MSG_DONTWAIT));
  SHOW(syscall(SYS_sendmsg, b, unmapped, 0));
  return 0;
}
