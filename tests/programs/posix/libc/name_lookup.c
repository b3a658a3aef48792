//@ native: yes
// getaddrinfo takes numbers without a name server, and localhost from /etc/hosts.
#include "../check.h"
#include <arpa/inet.h>
#include <netdb.h>
#include <sys/socket.h>

static void look(const char *host, const char *service, int family, int type, int flags) {
  struct addrinfo hints = {.ai_family = family, .ai_socktype = type, .ai_flags = flags}, *list;
  int r = getaddrinfo(host, service, &hints, &list);
  printf("%s %s: ", host ? host : "-", service ? service : "-");
  if (r) {
    puts(r == EAI_NONAME     ? "no name"
         : r == EAI_SERVICE  ? "no service"
         : r == EAI_SOCKTYPE ? "no type"
                             : "other error");
    return;
  }
  for (struct addrinfo *a = list; a; a = a->ai_next) {
    char text[64], port[16];
    getnameinfo(a->ai_addr, a->ai_addrlen, text, sizeof text, port, sizeof port,
                NI_NUMERICHOST | NI_NUMERICSERV);
    printf("[%s %s %s %d]", a->ai_family == AF_INET ? "4" : "6", text, port, a->ai_socktype);
  }
  puts("");
  freeaddrinfo(list);
}

int main(void) {
  look("127.0.0.1", "80", AF_INET, SOCK_STREAM, AI_NUMERICHOST);
  look("::1", "8080", AF_INET6, SOCK_DGRAM, AI_NUMERICHOST);
  look("1.2.3.4", 0, AF_UNSPEC, SOCK_STREAM, AI_NUMERICHOST);
  look("name", 0, AF_INET, SOCK_STREAM, AI_NUMERICHOST);
  look("localhost", "443", AF_INET, SOCK_STREAM, 0);
  look(0, "99", AF_INET, SOCK_STREAM, 0);
  look(0, "99", AF_INET, SOCK_STREAM, AI_PASSIVE);
  look("127.0.0.1", "no-number", AF_INET, SOCK_STREAM, AI_NUMERICSERV);
  return 0;
}
