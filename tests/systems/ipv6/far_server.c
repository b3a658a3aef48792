/* Answers with the hops that a datagram has left. */
#include "ipv6.h"

int main(void) {
  int fd = bound6(SOCK_DGRAM, 7000, 1), on = 1;
  assert(setsockopt(fd, IPPROTO_IPV6, IPV6_RECVHOPLIMIT, &on, sizeof on) == 0);
  char byte, control[64];
  struct sockaddr_in6 from;
  struct iovec part = {&byte, 1};
  struct msghdr message = {
      .msg_name = &from, .msg_namelen = sizeof from, .msg_iov = &part, .msg_iovlen = 1,
      .msg_control = control, .msg_controllen = sizeof control};
  assert(recvmsg(fd, &message, 0) == 1);
  struct cmsghdr *first = CMSG_FIRSTHDR(&message);
  assert(first && first->cmsg_level == IPPROTO_IPV6 && first->cmsg_type == IPV6_HOPLIMIT);
  int hops;
  memcpy(&hops, CMSG_DATA(first), sizeof hops);
  char answer = hops;
  assert(sendto(fd, &answer, 1, 0, (struct sockaddr *)&from, sizeof from) == 1);
  return 0;
}
