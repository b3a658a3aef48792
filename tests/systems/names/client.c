/* Finds the server under both of its names, and nobody under others. */
#include "../sockets.h"

int main(void) {
  struct sockaddr_in web = address_of("web", 80), example = address_of("www.example", 80);
  assert(web.sin_addr.s_addr == inet_addr("10.7.0.5"));
  assert(example.sin_addr.s_addr == web.sin_addr.s_addr);
  assert(address_of("localhost", 80).sin_addr.s_addr == htonl(INADDR_LOOPBACK));
  assert(address_of("10.7.0.9", 80).sin_addr.s_addr == inet_addr("10.7.0.9"));

  struct hostent *entry = gethostbyname("web");
  assert(entry && entry->h_addrtype == AF_INET && entry->h_length == 4);
  assert(memcmp(entry->h_addr_list[0], &web.sin_addr, 4) == 0);

  char name[64], service[16];
  struct sockaddr *address = (struct sockaddr *)&web;
  assert(getnameinfo(address, sizeof web, name, sizeof name, service, sizeof service, NI_NUMERICSERV) == 0);
  assert(strcmp(name, "www.example") == 0 || strcmp(name, "web") == 0);
  assert(strcmp(service, "80") == 0);

  struct addrinfo hints = {.ai_family = AF_INET, .ai_socktype = SOCK_STREAM}, *found;
  assert(getaddrinfo("nobody", "80", &hints, &found) != 0);
  hints.ai_flags = AI_NUMERICHOST;
  assert(getaddrinfo("web", "80", &hints, &found) == EAI_NONAME);
  return 0;
}
