// getaddrinfo finds numbers, localhost and services without asking anybody.
#include "net.h"
#include <netdb.h>

static void show(const char *host, const char *service, int flags, int type) {
  struct addrinfo hints = {.ai_family = AF_INET, .ai_socktype = type, .ai_flags = flags}, *found = NULL;
  int error = getaddrinfo(host, service, &hints, &found);
  printf("%s %s: %s", host ? host : "-", service ? service : "-", error ? "error" : "ok");
  if (!error) {
    Inet *a = (Inet *)found->ai_addr;
    printf(" %s %d type %d", inet_ntoa(a->sin_addr), ntohs(a->sin_port), found->ai_socktype);
    freeaddrinfo(found);
  }
  printf("\n");
}

int main(void) {
  show("127.0.0.1", "80", AI_NUMERICHOST | AI_NUMERICSERV, SOCK_STREAM);
  show("localhost", "1234", 0, SOCK_STREAM);
  show("localhost", "http", 0, SOCK_STREAM);
  show(NULL, "7000", AI_PASSIVE, SOCK_DGRAM);
  show(NULL, "7000", 0, SOCK_STREAM);
  show("10.1.2.3", NULL, 0, SOCK_STREAM);
  show("not a number", "1", AI_NUMERICHOST, SOCK_STREAM);
  show("localhost", "no-such-service", 0, SOCK_STREAM);
  char host[64], service[64];
  Inet a = local(443);
  NUM(getnameinfo(ADDRESS(a), sizeof a, host, sizeof host, service, sizeof service, NI_NUMERICHOST | NI_NUMERICSERV));
  printf("%s %s\n", host, service);
  struct servent *s = getservbyname("https", "tcp");
  printf("%d\n", s ? ntohs((unsigned short)s->s_port) : -1);
  struct protoent *p = getprotobyname("udp");
  printf("%d\n", p ? p->p_proto : -1);
  return 0;
}
