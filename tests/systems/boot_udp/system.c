/* A client and a server out of one program. The client asks for a letter; the server knows only some. */
#include <arpa/inet.h>
#include <assert.h>
#include <klee/klee.h>
#include <netklee.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define PORT 7000

static volatile int known;

static int serve(void) {
  int fd = socket(AF_INET, SOCK_DGRAM, 0);
  struct sockaddr_in self = {.sin_family = AF_INET, .sin_port = htons(PORT)};
  assert(bind(fd, (struct sockaddr *)&self, sizeof self) == 0);
  for (;;) {
    char letter;
    struct sockaddr_in peer;
    socklen_t length = sizeof peer;
    assert(recvfrom(fd, &letter, 1, 0, (struct sockaddr *)&peer, &length) == 1);
    assert(peer.sin_addr.s_addr == klee_net_make_ipv4(10, 0, 0, 2));
    char answer = '?';
    if (letter >= 'a' && letter <= 'b') {
      known++;
      answer = letter + 1;
    }
    assert(sendto(fd, &answer, 1, 0, (struct sockaddr *)&peer, length) == 1);
  }
}

static int ask(void) {
  char name[64], letter, answer;
  assert(gethostname(name, sizeof name) == 0 && strcmp(name, "client") == 0);
  klee_make_symbolic(&letter, 1, "letter");
  int fd = socket(AF_INET, SOCK_DGRAM, 0);
  struct sockaddr_in server = {.sin_family = AF_INET, .sin_port = htons(PORT)};
  server.sin_addr.s_addr = klee_net_make_ipv4(10, 0, 0, 1);
  assert(connect(fd, (struct sockaddr *)&server, sizeof server) == 0);
  assert(write(fd, &letter, 1) == 1);
  assert(read(fd, &answer, 1) == 1);
  assert(letter != 'b' || answer != 'c'); // mark: b
  return 0;
}

int main(void) {
  assert(klee_net_add_network("net0") == 0);
  int machine = klee_range(0, 2, "machine");
  if (machine == 1) {
    assert(klee_net_add_interface(1, "net0", NULL) == 0);
    assert(klee_net_add_ipv4_address(klee_net_make_ipv4(10, 0, 0, 1), 0, 1, 1, NULL) == 0);
    assert(klee_net_host_setup("server", 1, 1) == 0);
    return serve();
  }
  assert(klee_net_add_interface(1, "net0", NULL) == 0);
  assert(klee_net_add_ipv4_address(klee_net_make_ipv4(10, 0, 0, 2), 0, 1, 1, NULL) == 0);
  assert(klee_net_host_setup("client", 0, 0) == 0);
  return ask();
}
