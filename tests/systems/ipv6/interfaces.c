/* A node sees its interfaces and routes by getifaddrs and netlink: addresses of both families, and the way to a network
 * behind the router. */
#include "ipv6.h"
#include <ifaddrs.h>
#include <net/if.h>
#include <stdint.h>

/* What linux/netlink.h and linux/rtnetlink.h have, as far as it is used here. */
struct header {
  uint32_t length;
  uint16_t type, flags;
  uint32_t sequence, port;
};
struct route {
  uint8_t family, destination_bits, source_bits, tos, table, protocol, scope, type;
  uint32_t flags;
};
struct attribute {
  uint16_t length, type;
};
enum { NEW_ROUTE = 24, GET_ROUTE = 26, REQUEST = 1, DESTINATION = 1, GATEWAY = 5 };

static void expect_address(const struct ifaddrs *all, const char *name, const char *expected) {
  for (const struct ifaddrs *each = all; each; each = each->ifa_next) {
    char text[INET6_ADDRSTRLEN] = "";
    int family = each->ifa_addr->sa_family;
    if (family == AF_INET)
      inet_ntop(family, &((struct sockaddr_in *)each->ifa_addr)->sin_addr, text, sizeof text);
    else if (family == AF_INET6)
      inet_ntop(family, &((struct sockaddr_in6 *)each->ifa_addr)->sin6_addr, text, sizeof text);
    if (strcmp(each->ifa_name, name) == 0 && strcmp(text, expected) == 0)
      return;
  }
  printf("%s has no %s\n", name, expected);
  assert(0);
}

/* The gateway of a route to an address of IPv6. */
static void expect_gateway(const char *to, const char *gateway) {
  struct {
    struct header header;
    struct route route;
    struct attribute attribute;
    unsigned char destination[16];
  } request = {
      .header = {sizeof request, GET_ROUTE, REQUEST, 1, 0},
      .route = {.family = AF_INET6, .destination_bits = 128},
      .attribute = {sizeof(struct attribute) + 16, DESTINATION},
  };
  assert(inet_pton(AF_INET6, to, request.destination) == 1);
  int fd = socket(AF_NETLINK, SOCK_RAW, 0);
  assert(send(fd, &request, sizeof request, 0) == sizeof request);
  char answer[4096];
  ssize_t length = recv(fd, answer, sizeof answer, 0);
  assert(length > 0 && ((struct header *)answer)->type == NEW_ROUTE);
  int is_found = 0;
  for (ssize_t at = sizeof(struct header) + sizeof(struct route); at < length;) {
    struct attribute each;
    memcpy(&each, answer + at, sizeof each);
    char text[INET6_ADDRSTRLEN];
    if (each.type == GATEWAY) {
      inet_ntop(AF_INET6, answer + at + sizeof each, text, sizeof text);
      is_found = strcmp(text, gateway) == 0;
    }
    at += (each.length + 3) / 4 * 4;
  }
  assert(is_found);
  close(fd);
}

int main(void) {
  struct ifaddrs *all;
  assert(getifaddrs(&all) == 0);
  expect_address(all, "lo", "127.0.0.1");
  expect_address(all, "lo", "::1");
  expect_address(all, "eth0", "10.0.0.1");
  expect_address(all, "eth0", "fd00:1::1");
  expect_address(all, "eth1", "10.0.1.1");
  freeifaddrs(all);
  assert(if_nametoindex("eth1") == 3);
  expect_gateway("fd00:3::9", "fd00:1::ffff:ffff:ffff:fffe");
  return 0;
}
