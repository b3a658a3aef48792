/* Sends one request, of which only the sender knows what it is, and waits for the answer. */
#include <klee/klee.h>
#include <netdb.h>
#include <sys/socket.h>
#include <unistd.h>

int main(void) {
  struct addrinfo hints = {.ai_family = AF_INET, .ai_socktype = SOCK_DGRAM}, *office;
  if (getaddrinfo("office", "7000", &hints, &office) != 0)
    return 1;
  int window = socket(AF_INET, SOCK_DGRAM, 0);
  char request;
  klee_make_symbolic(&request, 1, "request");
  int left;
  if (connect(window, office->ai_addr, office->ai_addrlen) != 0 || write(window, &request, 1) != 1 ||
      read(window, &left, sizeof left) != sizeof left)
    return 1;
  freeaddrinfo(office);
  return 0;
}
