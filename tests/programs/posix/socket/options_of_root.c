// Some options are for root alone, or only when they ask for more.
#include "net.h"

int main(void) {
  int tcp = socket(AF_INET, SOCK_STREAM, 0);
  be_ordinary_user();
  SHOW(set(tcp, SOL_SOCKET, SO_MARK, 1));
  SHOW(set(tcp, SOL_SOCKET, SO_PRIORITY, 6));
  SHOW(set(tcp, SOL_SOCKET, SO_PRIORITY, 7));
  NUM(option(tcp, SOL_SOCKET, SO_PRIORITY));
  SHOW(set(tcp, SOL_SOCKET, SO_SNDBUFFORCE, 10000));
  SHOW(set(tcp, IPPROTO_IP, IP_TRANSPARENT, 0));
  SHOW(set(tcp, IPPROTO_IP, IP_TRANSPARENT, 1));
  Inet elsewhere = local(0);
  elsewhere.sin_addr.s_addr = htonl(0xc6336401); // 198.51.100.1
  SHOW(bind(tcp, ADDRESS(elsewhere), sizeof elsewhere));
  SHOW(set(tcp, IPPROTO_IP, IP_FREEBIND, 1));
  SHOW(bind(tcp, ADDRESS(elsewhere), sizeof elsewhere));
  return 0;
}
