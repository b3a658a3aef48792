/* Sends three numbers. */
#include <netdb.h>
#include <sys/socket.h>

int main(void) {
  struct addrinfo hints = {.ai_family = AF_INET, .ai_socktype = SOCK_DGRAM}, *server;
  if (getaddrinfo("server", "7000", &hints, &server) != 0)
    return 1;
  int client = socket(AF_INET, SOCK_DGRAM, 0);
  for (unsigned char number = 0; number < 3; number++)
    sendto(client, &number, 1, 0, server->ai_addr, server->ai_addrlen);
  freeaddrinfo(server);
  return 0;
}
