/* Hosts on a link find each other without any address: one asks all by ICMP, and goes on with the link-local address that
 * answers, whose interface it needs. */
#include "ipv6.h"
#include <ifaddrs.h>
#include <net/if.h>
#include <poll.h>

enum { ECHO_REQUEST = 128, ECHO_REPLY = 129 };

static int is_link_local(const struct sockaddr_in6 *address) {
  return IN6_IS_ADDR_LINKLOCAL(&address->sin6_addr);
}

/* The link-local address of an interface, with its number. */
static struct sockaddr_in6 own_address(const char *interface) {
  struct ifaddrs *all;
  struct sockaddr_in6 own = {0};
  assert(getifaddrs(&all) == 0);
  for (struct ifaddrs *each = all; each; each = each->ifa_next)
    if (each->ifa_addr && each->ifa_addr->sa_family == AF_INET6 && strcmp(each->ifa_name, interface) == 0 &&
        is_link_local((struct sockaddr_in6 *)each->ifa_addr))
      own = *(struct sockaddr_in6 *)each->ifa_addr;
  freeifaddrs(all);
  assert(own.sin6_family == AF_INET6 && own.sin6_scope_id == if_nametoindex(interface));
  return own;
}

static int server(void) {
  int fd = bound6(SOCK_STREAM, 7002, 1);
  assert(listen(fd, 1) == 0);
  struct sockaddr_in6 from;
  socklen_t size = sizeof from;
  int client = accept(fd, (struct sockaddr *)&from, &size);
  assert(client >= 0 && is_link_local(&from) && from.sin6_scope_id == if_nametoindex("eth0"));
  /* The file of the kernel has the connection, too. */
  char line[256];
  int is_shown = 0;
  FILE *file = fopen("/proc/net/tcp6", "r");
  while (fgets(line, sizeof line, file))
    is_shown |= strstr(line, "000080FE00000000FF0A0000") != NULL && strstr(line, ":1B5A") != NULL;
  fclose(file);
  assert(is_shown);
  write_all(client, "hello", 5);
  return 0;
}

int main(int argc, char **argv) {
  if (strcmp(argv[1], "server") == 0)
    return server();
  struct sockaddr_in6 own = own_address("eth1");
  int raw = socket(AF_INET6, SOCK_RAW, IPPROTO_ICMPV6);
  assert(raw >= 0);
  struct addrinfo hints = {.ai_family = AF_INET6, .ai_flags = AI_NUMERICHOST, .ai_socktype = SOCK_RAW}, *all = NULL;
  assert(getaddrinfo("ff02::1%eth1", NULL, &hints, &all) == 0);
  unsigned char request[8] = {ECHO_REQUEST, 0, 0, 0, 0, 7, 0, 1}, bytes[64];
  assert(sendto(raw, request, sizeof request, 0, all->ai_addr, all->ai_addrlen) == sizeof request);
  freeaddrinfo(all);
  struct sockaddr_in6 from;
  do {
    struct pollfd one = {raw, POLLIN, 0};
    socklen_t size = sizeof from;
    assert(poll(&one, 1, 1000) == 1);
    assert(recvfrom(raw, bytes, sizeof bytes, 0, (struct sockaddr *)&from, &size) == sizeof request);
  } while (bytes[0] != ECHO_REPLY || memcmp(&from.sin6_addr, &own.sin6_addr, 16) == 0);
  assert(bytes[5] == 7 && is_link_local(&from) && from.sin6_scope_id == own.sin6_scope_id);

  /* The address means nothing without its interface. */
  from.sin6_port = htons(7002);
  int fd = socket(AF_INET6, SOCK_STREAM, 0);
  struct sockaddr_in6 bare = from;
  bare.sin6_scope_id = 0;
  errno = 0;
  assert(connect(fd, (struct sockaddr *)&bare, sizeof bare) == -1 && errno == EINVAL);
  /* Nobody has it on the other network. */
  bare.sin6_scope_id = if_nametoindex("eth0");
  errno = 0;
  assert(connect(fd, (struct sockaddr *)&bare, sizeof bare) == -1 && errno == EHOSTUNREACH);
  close(fd);

  char text[INET6_ADDRSTRLEN + IF_NAMESIZE], port[8];
  int names = NI_NUMERICHOST | NI_NUMERICSERV;
  assert(getnameinfo((struct sockaddr *)&from, sizeof from, text, sizeof text, port, sizeof port, names) == 0);
  assert(strcmp(text + strlen(text) - 5, "%eth1") == 0);
  hints.ai_socktype = SOCK_STREAM;
  assert(getaddrinfo(text, port, &hints, &all) == 0);
  fd = socket(AF_INET6, SOCK_STREAM, 0);
  assert(bind(fd, (struct sockaddr *)&own, sizeof own) == 0);
  assert(connect(fd, all->ai_addr, all->ai_addrlen) == 0);
  freeaddrinfo(all);
  char greeting[6] = "";
  assert(read_all(fd, greeting, 5) == 5 && strcmp(greeting, "hello") == 0);
  return 0;
}
