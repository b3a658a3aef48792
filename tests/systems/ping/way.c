/* Follows the way to a host, as traceroute does: each router that a packet ends at says so. */
#include "ping.h"

/* Sends a request that may make so many hops, and returns who says what about it. */
static int told(int fd, const char *to, int hops, char *by) {
  struct sockaddr_in peer = {.sin_family = AF_INET}, from;
  assert(inet_pton(AF_INET, to, &peer.sin_addr) == 1);
  assert(setsockopt(fd, IPPROTO_IP, IP_TTL, &hops, sizeof hops) == 0);
  request(fd, peer, hops, 8);
  unsigned char bytes[2048];
  size_t size = answer(fd, bytes, sizeof bytes, &from, 5000);
  assert(size >= sizeof(struct iphdr) + sizeof(struct icmphdr));
  const unsigned char *message = bytes + sizeof(struct iphdr);
  size -= sizeof(struct iphdr);
  assert(checksum(message, size) == 0);
  inet_ntop(AF_INET, &from.sin_addr, by, INET_ADDRSTRLEN);
  if (message[0] != ICMP_ECHOREPLY) {
    /* What was sent comes back. */
    struct iphdr quoted;
    memcpy(&quoted, message + 8, sizeof quoted);
    assert(quoted.daddr == peer.sin_addr.s_addr && quoted.protocol == IPPROTO_ICMP);
    assert(message[8 + sizeof quoted] == ICMP_ECHO);
  }
  return message[0] << 8 | message[1];
}

static void expect(int fd, const char *to, int hops, int what, const char *who) {
  char by[INET_ADDRSTRLEN];
  int said = told(fd, to, hops, by);
  printf("%s with %d hops: %d/%d from %s\n", to, hops, said >> 8, said & 0xff, by);
  assert(said == what && strcmp(by, who) == 0);
}

/* A datagram to a port where nobody is, and one that ends at a router. */
static void expect_of_datagrams(int raw) {
  struct sockaddr_in peer = {.sin_family = AF_INET, .sin_port = htons(33434)}, from;
  assert(inet_pton(AF_INET, "10.2.0.1", &peer.sin_addr) == 1);
  int fd = socket(AF_INET, SOCK_DGRAM, 0);
  for (int hops = 1; hops <= 2; hops++) {
    assert(setsockopt(fd, IPPROTO_IP, IP_TTL, &hops, sizeof hops) == 0);
    assert(sendto(fd, "probe", 5, 0, (struct sockaddr *)&peer, sizeof peer) == 5);
    unsigned char bytes[2048];
    assert(answer(raw, bytes, sizeof bytes, &from, 5000) == 20 + 8 + 20 + 8);
    const unsigned char *message = bytes + 20, *quoted = message + 8;
    assert(message[0] == (hops == 1 ? ICMP_TIME_EXCEEDED : ICMP_DEST_UNREACH));
    assert(message[1] == (hops == 1 ? 0 : ICMP_PORT_UNREACH));
    /* The length of the packet, its protocol, the port, and the length of the datagram. */
    assert(quoted[2] == 0 && quoted[3] == 33 && quoted[9] == IPPROTO_UDP);
    assert(quoted[22] == 33434 >> 8 && quoted[23] == (33434 & 0xff) && quoted[24] == 0 && quoted[25] == 13);
  }
  close(fd);
}

int main(void) {
  int raw = socket(AF_INET, SOCK_RAW, IPPROTO_ICMP);
  assert(raw >= 0);
  expect(raw, "10.2.0.1", 1, ICMP_TIME_EXCEEDED << 8, "10.1.0.254");
  expect(raw, "10.2.0.1", 2, ICMP_ECHOREPLY << 8, "10.2.0.1");
  /* The router itself answers. */
  expect(raw, "10.1.0.254", 64, ICMP_ECHOREPLY << 8, "10.1.0.254");
  /* Nobody has the address: the own kernel finds out on its own network, and the router on the other. */
  expect(raw, "10.1.0.9", 64, ICMP_DEST_UNREACH << 8 | ICMP_HOST_UNREACH, "10.1.0.1");
  expect(raw, "10.2.0.9", 64, ICMP_DEST_UNREACH << 8 | ICMP_HOST_UNREACH, "10.1.0.254");
  expect_of_datagrams(raw);
  /* A filter takes out what is not wanted: all but answers. */
  unsigned filter = ~(1u << ICMP_ECHOREPLY);
  assert(setsockopt(raw, SOL_RAW, 1, &filter, sizeof filter) == 0);
  struct sockaddr_in nobody = {.sin_family = AF_INET}, from;
  assert(inet_pton(AF_INET, "10.1.0.9", &nobody.sin_addr) == 1);
  request(raw, nobody, 9, 0);
  unsigned char bytes[64];
  assert(answer(raw, bytes, sizeof bytes, &from, 5000) == 0);
  /* A socket for ping that is connected is told by an error. */
  int ping = socket(AF_INET, SOCK_DGRAM, IPPROTO_ICMP);
  assert(connect(ping, (struct sockaddr *)&nobody, sizeof nobody) == 0);
  struct icmphdr header = {.type = ICMP_ECHO};
  assert(send(ping, &header, sizeof header, 0) == sizeof header);
  errno = 0;
  assert(recv(ping, bytes, sizeof bytes, 0) == -1 && errno == EHOSTUNREACH);
  return 0;
}
