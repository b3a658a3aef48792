// Which domains, types and protocols there are, and which error the others give.
#include "net.h"

int main(void) {
  OK(socket(AF_INET, SOCK_STREAM, 0));
  OK(socket(AF_INET, SOCK_STREAM, IPPROTO_TCP));
  OK(socket(AF_INET, SOCK_DGRAM, 0));
  OK(socket(AF_INET, SOCK_DGRAM, IPPROTO_UDP));
  OK(socket(AF_UNIX, SOCK_STREAM, 0));
  OK(socket(AF_UNIX, SOCK_DGRAM, PF_UNIX));
  OK(socket(AF_UNIX, SOCK_SEQPACKET, 0));
  OK(socket(AF_UNIX, SOCK_RAW, 0));
  OK(socket(AF_INET, SOCK_STREAM, IPPROTO_UDP));
  OK(socket(AF_INET, SOCK_DGRAM, IPPROTO_TCP));
  OK(socket(AF_INET, SOCK_SEQPACKET, 0));
  OK(socket(AF_INET, SOCK_STREAM, 9999));
  OK(socket(AF_INET, SOCK_STREAM, minus_one));
  OK(socket(AF_INET, 15, 0));
  OK(socket(AF_INET, SOCK_STREAM | 0x100, 0));
  OK(socket(AF_UNIX, SOCK_STREAM, 17));
  OK(socket(AF_UNIX, SOCK_RDM, 0));
  OK(socket(9999, SOCK_STREAM, 0));
  OK(socket(minus_one, SOCK_STREAM, 0));
  be_ordinary_user();
  OK(socket(AF_INET, SOCK_RAW, IPPROTO_ICMP));
  return 0;
}
