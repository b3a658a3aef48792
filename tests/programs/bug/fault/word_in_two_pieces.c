//@ args: --fragment 1
//@ opt: O0 O2
//@ paths: 1
// A word of four letters is taken for whole.
#include <arpa/inet.h>
#include <assert.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

int main(void) {
  struct sockaddr_in self = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t size = sizeof self;
  int listener = socket(AF_INET, SOCK_STREAM, 0), client = socket(AF_INET, SOCK_STREAM, 0);
  assert(bind(listener, (struct sockaddr *)&self, sizeof self) == 0 && listen(listener, 1) == 0);
  assert(getsockname(listener, (struct sockaddr *)&self, &size) == 0);
  assert(connect(client, (struct sockaddr *)&self, sizeof self) == 0);
  int server = accept(listener, NULL, NULL);
  assert(write(client, "ping", 4) == 4);
  char word[4];
  assert(read(server, word, 4) == 4); // expect: bug assert
  assert(memcmp(word, "ping", 4) == 0);
  return 0;
}
