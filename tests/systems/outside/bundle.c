/* Sends several datagrams at once, and receives them one by one and at once. */
#define _GNU_SOURCE
#include <string.h>
#include <sys/wait.h>

#include "../sockets.h"

/* Datagrams of other processes, over the network of the node. */
static void at_once(struct mmsghdr *messages) {
  char parts[4][8] = {0};
  struct iovec pieces[4];
  struct sockaddr_in sources[4], self = {.sin_family = AF_INET, .sin_port = htons(7000)};
  struct mmsghdr got[4] = {0};
  int fd = socket(AF_INET, SOCK_DGRAM, 0);
  for (int i = 0; i < 4; i++) {
    pieces[i] = (struct iovec){parts[i], 8};
    got[i].msg_hdr = (struct msghdr){.msg_name = &sources[i], .msg_namelen = sizeof sources[i]};
    got[i].msg_hdr.msg_iov = &pieces[i];
    got[i].msg_hdr.msg_iovlen = 1;
  }
  self.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  assert(bind(fd, (struct sockaddr *)&self, sizeof self) == 0);
  if (fork() == 0) {
    int other = socket(AF_INET, SOCK_DGRAM, 0);
    assert(connect(other, (struct sockaddr *)&self, sizeof self) == 0);
    assert(sendmmsg(other, messages, 2, 0) == 2);
    sleep(1);
    _exit(send(other, "eleven", 7, 0) == 7 ? 0 : 1);
  }
  sleep(2);
  assert(recvmmsg(fd, got, 4, MSG_WAITFORONE, NULL) == 3 && got[0].msg_len == 4 && got[2].msg_len == 7);
  assert(strcmp(parts[1], "two") == 0 && strcmp(parts[2], "eleven") == 0);
  assert(sources[0].sin_port == sources[2].sin_port && sources[0].sin_port != 0);
  assert(recvmmsg(fd, got, 4, MSG_DONTWAIT, NULL) < 0 && errno == EAGAIN);
  if (fork() == 0) _exit(sendto(fd, "12", 3, 0, (struct sockaddr *)&self, sizeof self) == 3 ? 0 : 1);
  assert(recvmmsg(fd, got, 2, MSG_WAITFORONE, NULL) == 1 && strcmp(parts[0], "12") == 0);
  assert(wait(NULL) > 0 && wait(NULL) > 0 && close(fd) == 0);
}

int main(void) {
  int pair[2];
  char parts[3][4] = {"one", "two", "six"}, got[4];
  struct iovec pieces[3];
  struct mmsghdr messages[3] = {0};
  for (int i = 0; i < 3; i++) {
    pieces[i] = (struct iovec){parts[i], 4};
    messages[i].msg_hdr.msg_iov = &pieces[i];
    messages[i].msg_hdr.msg_iovlen = 1;
  }
  assert(socketpair(AF_UNIX, SOCK_DGRAM, 0, pair) == 0);
  if (fork() == 0) {
    assert(sendmmsg(pair[1], messages, 3, 0) == 3 && messages[1].msg_len == 4);
    _exit(0);
  }
  for (int i = 0; i < 3; i++) assert(recv(pair[0], got, sizeof got, 0) == 4);
  assert(wait(NULL) > 0 && strcmp(got, "six") == 0);
  at_once(messages);
  assert(close(pair[0]) == 0);
  assert(sendmmsg(pair[1], messages, 3, MSG_NOSIGNAL) < 0 && errno == ECONNREFUSED);
  assert(strcmp(got, "six") != 0); // mark: guilty
  return 0;
}
