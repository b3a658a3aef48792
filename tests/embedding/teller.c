#include <arpa/inet.h>
#include <assert.h>
#include <klee/klee.h>
#include <netdb.h>
#include <stdlib.h>
#include <sys/socket.h>

int main(void) {
  struct addrinfo wanted = {.ai_family = AF_INET, .ai_socktype = SOCK_STREAM}, *bank;
  if (getaddrinfo("bank", "70", &wanted, &bank) != 0) return 1;
  int fd = socket(AF_INET, SOCK_STREAM, 0);
  if (connect(fd, bank->ai_addr, bank->ai_addrlen) != 0) return 1;
  char amount, balance[8] = {0};
  klee_make_symbolic(&amount, sizeof amount, "amount");
  klee_assume(amount >= '0' & amount <= '9');
  send(fd, &amount, 1, 0);
  recv(fd, balance, sizeof balance - 1, 0);
  assert(atoi(balance) >= 0);
}
