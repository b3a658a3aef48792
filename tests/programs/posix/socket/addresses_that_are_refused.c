// Addresses that are too short, of another family, somebody else's, or not in memory.
#include "net.h"

int main(void) {
  int tcp = socket(AF_INET, SOCK_STREAM, 0), udp = socket(AF_INET, SOCK_DGRAM, 0);
  Inet a = local(0);
  SHOW(bind(tcp, ADDRESS(a), 8));
  SHOW(bind(tcp, ADDRESS(a), 1000));
  SHOW(bind(tcp, ADDRESS(a), (socklen_t)minus_one));
  SHOW(bind(tcp, unmapped, sizeof a));
  a.sin_family = AF_UNIX;
  SHOW(bind(tcp, ADDRESS(a), sizeof a));
  SHOW(connect(tcp, ADDRESS(a), sizeof a));
  SHOW(connect(udp, ADDRESS(a), sizeof a));
  SHOW(sendto(udp, "x", 1, 0, ADDRESS(a), sizeof a));
  a = local(0);
  SHOW(connect(tcp, ADDRESS(a), 1));
  SHOW(connect(tcp, ADDRESS(a), 8));
  SHOW(connect(udp, ADDRESS(a), 8));
  SHOW(connect(tcp, unmapped, sizeof a));
  SHOW(sendto(udp, "x", 1, 0, ADDRESS(a), 8));
  SHOW(sendto(udp, "x", 1, 0, ADDRESS(a), sizeof a));
  a.sin_addr.s_addr = inet_addr("192.0.2.77");
  SHOW(bind(tcp, ADDRESS(a), sizeof a));
  SHOW(bind(udp, ADDRESS(a), sizeof a));
  a = local(80);
  be_ordinary_user();
  SHOW(sendto(udp, NULL, 0, 0, NULL, 0));
  SHOW(sendto(udp, unmapped, 5, 0, ADDRESS(a), sizeof a));
  return 0;
}
