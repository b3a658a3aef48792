// A datagram comes from the address that its sender names with it, if that is one of the host's.
#include "../socket/net.h"

static ssize_t send_from(int fd, Inet *to, const char *address, int interface, size_t size) {
  struct iovec part = {"hello", 5};
  _Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof(struct in_pktinfo))] = {0};
  struct msghdr m = {.msg_name = to, .msg_namelen = sizeof *to, .msg_iov = &part, .msg_iovlen = 1};
  m.msg_control = control;
  m.msg_controllen = CMSG_SPACE(size);
  struct cmsghdr *head = CMSG_FIRSTHDR(&m);
  head->cmsg_level = IPPROTO_IP;
  head->cmsg_type = IP_PKTINFO;
  head->cmsg_len = CMSG_LEN(size);
  struct in_pktinfo *info = (struct in_pktinfo *)CMSG_DATA(head);
  info->ipi_ifindex = interface;
  info->ipi_spec_dst.s_addr = inet_addr(address);
  return sendmsg(fd, &m, 0);
}

static void show_origin(int fd) {
  char data[32];
  Inet from = {0};
  socklen_t len = sizeof from;
  ssize_t n = recvfrom(fd, data, sizeof data, MSG_DONTWAIT, (struct sockaddr *)&from, &len);
  printf("%zd from %s\n", n, inet_ntoa(from.sin_addr));
}

int main(void) {
  int a = at_free_port(SOCK_DGRAM), b = socket(AF_INET, SOCK_DGRAM, 0);
  Inet to = name_of(a);
  size_t whole = sizeof(struct in_pktinfo);
  SHOW(send_from(b, &to, "127.0.0.5", 0, whole));
  show_origin(a);
  SHOW(send_from(b, &to, "127.0.0.6", 1, whole));
  show_origin(a);
  SHOW(send_from(b, &to, "0.0.0.0", 0, whole));
  show_origin(a);
  SHOW(send_from(b, &to, "203.0.113.9", 0, whole));
  SHOW(send_from(b, &to, "127.0.0.5", 999, whole));
  SHOW(send_from(b, &to, "127.0.0.5", 0, whole - 4));
  show_origin(a);
  return 0;
}
