/* Expects numbers in order. */
#include <arpa/inet.h>
#include <assert.h>
#include <stdio.h>
#include <sys/socket.h>

int main(void) {
  int server = socket(AF_INET, SOCK_DGRAM, 0);
  struct sockaddr_in self = {.sin_family = AF_INET, .sin_port = htons(7000)};
  assert(bind(server, (struct sockaddr *)&self, sizeof self) == 0);
  for (unsigned char next = 0, number; recv(server, &number, 1, 0) == 1; next++) {
    printf("received %d\n", number);
    assert(number == next && "no number is missing");
  }
}
