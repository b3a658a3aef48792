/* client SERVER BYTES: sends symbolic bytes and QUIT, and reads answers until the server hangs up. */
#include <arpa/inet.h>
#include <assert.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "klee/klee.h"

int main(int argc, char **argv) {
  assert(argc == 3);
  struct sockaddr_in server = {.sin_family = AF_INET, .sin_port = htons(7000)};
  assert(inet_pton(AF_INET, argv[1], &server.sin_addr) == 1);
  int fd = socket(AF_INET, SOCK_STREAM, 0);
  assert(connect(fd, (struct sockaddr *)&server, sizeof server) == 0);
  char text[32];
  int size = atoi(argv[2]);
  klee_make_symbolic(text, size, "text");
  strcpy(text + size, "\nQUIT\n");
  int all = size + strlen("\nQUIT\n");
  assert(write(fd, text, all) == all);
  char answers[256];
  while (read(fd, answers, sizeof answers) > 0)
    continue;
  return 0;
}
