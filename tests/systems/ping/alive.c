/* Finds out whether a host answers, as ping does: by a raw socket, and by one that is made for it. The first argument says whether
 * somebody answers always. */
#include "ping.h"

static void expect_answer(const unsigned char *message, size_t size, int sequence) {
  struct icmphdr header;
  memcpy(&header, message, sizeof header);
  assert(size == sizeof header + 56);
  assert(checksum(message, size) == 0);
  assert(header.type == ICMP_ECHOREPLY && header.code == 0);
  assert(ntohs(header.un.echo.sequence) == sequence);
  assert(message[sizeof header] == 'a' && message[sizeof header + 55] == 'a' + 55 % 26);
}

int main(int argc, char **argv) {
  int is_sure = argc > 1 && strcmp(argv[1], "sure") == 0;
  struct sockaddr_in peer = address_of("peer", 0), from;
  unsigned char bytes[2048];

  int raw = socket(AF_INET, SOCK_RAW, IPPROTO_ICMP);
  assert(raw >= 0);
  request(raw, peer, 1, 56);
  size_t size = answer(raw, bytes, sizeof bytes, &from, 1000);
  if (size > 0) {
    struct iphdr ip;
    memcpy(&ip, bytes, sizeof ip);
    assert(ip.version == 4 && ip.ihl == 5 && ip.protocol == IPPROTO_ICMP && ip.ttl == 64);
    assert(ntohs(ip.tot_len) == size && checksum(bytes, sizeof ip) == 0);
    assert(ip.saddr == peer.sin_addr.s_addr && from.sin_addr.s_addr == peer.sin_addr.s_addr);
    expect_answer(bytes + sizeof ip, size - sizeof ip, 1);
  } else {
    assert(!is_sure); // mark: raw
    return 0;
  }
  close(raw);

  int ping = socket(AF_INET, SOCK_DGRAM, IPPROTO_ICMP);
  assert(ping >= 0);
  request(ping, peer, 2, 56);
  size = answer(ping, bytes, sizeof bytes, &from, 1000);
  if (size == 0) {
    assert(!is_sure); // mark: ping
    return 0;
  }
  expect_answer(bytes, size, 2);
  /* Its number is its own, as it is told. */
  struct sockaddr_in own;
  socklen_t length = sizeof own;
  assert(getsockname(ping, (struct sockaddr *)&own, &length) == 0);
  struct icmphdr header;
  memcpy(&header, bytes, sizeof header);
  assert(header.un.echo.id == own.sin_port && own.sin_port != 0);
  /* Other messages are not for such a socket to send. */
  header.type = ICMP_TIMESTAMP;
  errno = 0;
  assert(sendto(ping, &header, sizeof header, 0, (struct sockaddr *)&peer, sizeof peer) == -1 && errno == EINVAL);
  return 0;
}
