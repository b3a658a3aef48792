/* A client that sends one request, a symbolic byte: it may have any value. */
#include <klee/klee.h>
#include <netdb.h>
#include <sys/socket.h>
#include <unistd.h>

int main(void) {
  /* Nodes find each other by name. */
  struct addrinfo hints = {.ai_family = AF_INET, .ai_socktype = SOCK_DGRAM}, *server;
  if (getaddrinfo("server", "7000", &hints, &server) != 0)
    return 1;
  int client = socket(AF_INET, SOCK_DGRAM, 0);
  unsigned char request;
  klee_make_symbolic(&request, 1, "request");
  int left;
  if (connect(client, server->ai_addr, server->ai_addrlen) != 0 || write(client, &request, 1) != 1 ||
      read(client, &left, sizeof left) != sizeof left)
    return 1;
  freeaddrinfo(server);
  return 0;
}
