/* Knows who it is. */
#include "../sockets.h"

int main(void) {
  char name[64], line[128];
  assert(gethostname(name, sizeof name) == 0);
  assert(strcmp(name, "www.example") == 0);
  struct sockaddr_in self = address_of(name, 0);
  assert(self.sin_addr.s_addr == inet_addr("10.7.0.5"));
  FILE *file = fopen("/etc/hostname", "r");
  assert(file && fgets(line, sizeof line, file));
  assert(strcmp(line, "www.example\n") == 0);
  fclose(file);
  return 0;
}
