/* Passing a descriptor to another process of the host. */
#ifndef PASSING_H
#define PASSING_H

#include "../sockets.h"

union passing {
  struct cmsghdr header;
  char room[CMSG_SPACE(sizeof(int))];
};

static inline void hand_over(int to, int fd) {
  union passing passing;
  memset(&passing, 0, sizeof passing);
  struct iovec vector = {"!", 1};
  struct msghdr message = {
      .msg_iov = &vector, .msg_iovlen = 1, .msg_control = &passing, .msg_controllen = sizeof passing};
  struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof fd);
  memcpy(CMSG_DATA(header), &fd, sizeof fd);
  assert(sendmsg(to, &message, 0) == 1);
}

static inline int taken_over(int from) {
  union passing passing;
  char letter;
  int fd;
  struct iovec vector = {&letter, 1};
  struct msghdr message = {
      .msg_iov = &vector, .msg_iovlen = 1, .msg_control = &passing, .msg_controllen = sizeof passing};
  assert(recvmsg(from, &message, 0) == 1);
  memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof fd);
  return fd;
}

#endif
