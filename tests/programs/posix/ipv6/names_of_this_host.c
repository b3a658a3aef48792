// getaddrinfo knows numbers of IPv6; getnameinfo turns them into text.
#include "net6.h"
#include <netdb.h>

static void look(const char *host, int family, int flags) {
  struct addrinfo hints = {.ai_family = family, .ai_socktype = SOCK_STREAM, .ai_flags = flags}, *found = NULL;
  int error = getaddrinfo(host, "80", &hints, &found);
  printf("%s: %s\n", host ? host : "nobody", error ? gai_strerror(error) : "found");
  for (struct addrinfo *each = error ? NULL : found; each; each = each->ai_next) {
    char name[64], service[16];
    getnameinfo(each->ai_addr, each->ai_addrlen, name, sizeof name, service, sizeof service,
                NI_NUMERICHOST | NI_NUMERICSERV);
    printf("  family %d, %u bytes: [%s]:%s\n", each->ai_family, (unsigned)each->ai_addrlen, name, service);
  }
  if (!error)
    freeaddrinfo(found);
}

int main(void) {
  look("::1", AF_UNSPEC, AI_NUMERICHOST);
  look("::ffff:10.0.0.1", AF_INET6, AI_NUMERICHOST);
  look("127.0.0.1", AF_INET6, AI_NUMERICHOST | AI_V4MAPPED);
  look(NULL, AF_INET6, 0);
  look(NULL, AF_INET6, AI_PASSIVE);
  look("localhost", AF_INET, 0);
  IS(IN6_IS_ADDR_LOOPBACK(&in6addr_loopback));
  return 0;
}
