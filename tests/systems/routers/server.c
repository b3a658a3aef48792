/* Answers each datagram with the time to live that it arrived with. */
#include "../sockets.h"

int main(void) {
  int fd = bound(SOCK_DGRAM, 7000), on = 1;
  assert(setsockopt(fd, IPPROTO_IP, IP_RECVTTL, &on, sizeof on) == 0);
  for (;;) {
    char byte;
    struct sockaddr_in peer;
    union {
      struct cmsghdr head;
      char room[CMSG_SPACE(sizeof(int))];
    } control;
    struct iovec part = {&byte, 1};
    struct msghdr message = {.msg_name = &peer, .msg_namelen = sizeof peer, .msg_iov = &part, .msg_iovlen = 1,
                             .msg_control = &control, .msg_controllen = sizeof control};
    assert(recvmsg(fd, &message, 0) == 1);
    struct cmsghdr *head = CMSG_FIRSTHDR(&message);
    assert(head != NULL && head->cmsg_level == IPPROTO_IP && head->cmsg_type == IP_TTL);
    int left;
    memcpy(&left, CMSG_DATA(head), sizeof left);
    assert(sendto(fd, &left, sizeof left, 0, (struct sockaddr *)&peer, sizeof peer) == sizeof left);
  }
}
