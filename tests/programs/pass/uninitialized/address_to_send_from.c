//@ args: --check uninitialized
// The kernel looks at the interface and the first address of what a datagram is to be sent from. The second address
// is for those who receive.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <assert.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>

static long send_from(int fd, struct sockaddr_in *to, struct in_addr from) {
  union {
    struct cmsghdr align;
    char bytes[CMSG_SPACE(sizeof(struct in_pktinfo))];
  } control;
  struct in_pktinfo info;
  struct iovec data = {"hello", 5};
  struct msghdr message = {
      .msg_name = to, .msg_namelen = sizeof *to, .msg_iov = &data, .msg_iovlen = 1,
      .msg_control = &control, .msg_controllen = sizeof control};
  struct cmsghdr *head = CMSG_FIRSTHDR(&message);
  info.ipi_ifindex = 0;
  info.ipi_spec_dst = from;
  head->cmsg_level = IPPROTO_IP;
  head->cmsg_type = IP_PKTINFO;
  head->cmsg_len = CMSG_LEN(sizeof info);
  memcpy(CMSG_DATA(head), &info, sizeof info);
  return sendmsg(fd, &message, 0);
}

int main(void) {
  struct sockaddr_in own = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t size = sizeof own;
  char in[8];
  int fd = socket(AF_INET, SOCK_DGRAM, 0);
  assert(bind(fd, (struct sockaddr *)&own, sizeof own) == 0);
  assert(getsockname(fd, (struct sockaddr *)&own, &size) == 0);
  assert(send_from(fd, &own, own.sin_addr) == 5);
  assert(recv(fd, in, sizeof in, 0) == 5);
  return 0;
}
