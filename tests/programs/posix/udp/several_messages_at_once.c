// sendmmsg and recvmmsg.
#include "../socket/net.h"

int main(void) {
  int pair[2];
  udp_pair(pair);
  struct iovec out[3] = {{"one", 3}, {"two", 3}, {"three", 5}};
  struct mmsghdr m[3] = {0};
  for (int i = 0; i < 3; i++) {
    m[i].msg_hdr.msg_iov = &out[i];
    m[i].msg_hdr.msg_iovlen = 1;
  }
  SHOW(sendmmsg(pair[0], m, 3, 0));
  printf("%u %u %u\n", m[0].msg_len, m[1].msg_len, m[2].msg_len);
  char data[4][16];
  struct iovec in[4];
  struct mmsghdr r[4] = {0};
  for (int i = 0; i < 4; i++) {
    in[i] = (struct iovec){data[i], 16};
    r[i].msg_hdr.msg_iov = &in[i];
    r[i].msg_hdr.msg_iovlen = 1;
  }
  SHOW(recvmmsg(pair[1], r, 2, 0, NULL));
  SHOW(sendmmsg(pair[0], m, 1, 0));
  SHOW(recvmmsg(pair[1], r + 2, 2, MSG_WAITFORONE, NULL));
  for (int i = 0; i < 4; i++)
    printf("[%.*s]\n", (int)r[i].msg_len, data[i]);
  SHOW(recvmmsg(pair[1], r, 4, MSG_DONTWAIT, NULL));
  SHOW(sendmmsg(pair[0], m, 0, 0));
  return 0;
}
