/* Takes the lock, works, and gives it back. A careless client counts its lease from the moment at which it hears of
 * it. By then the lease may be over: where a grant is on its way for longer than a lease, the server has given the
 * lock to another client. A careful client counts from its request, which was before the server granted it. */
#include <everett.h>
#include <poll.h>

#include "lease.h"

static int self, fd;

static void send_to_server(int kind, int attempt) {
  struct message message = {kind, self, attempt};
  assert(send(fd, &message, sizeof message, 0) == sizeof message);
}

/* Waits for an answer that can be used, or until patience is over. */
static int lock_is_granted(int careful, const long long asked[]) {
  struct pollfd answer = {fd, POLLIN, 0};
  while (poll(&answer, 1, PATIENCE) == 1) {
    struct message message;
    assert(recv(fd, &message, sizeof message, 0) == sizeof message);
    if (message.kind == BUSY) {
      usleep(PAUSE * 1000);
      return 0;
    }
    if (!careful || now() + WORK < asked[message.attempt] + LEASE) return 1;
  }
  return 0;
}

int main(int argc, char **argv) {
  assert(argc == 3);
  self = atoi(argv[1]);
  int careful = strcmp(argv[2], "careful") == 0, holds;
  long long asked[ATTEMPTS];
  fd = connected(SOCK_DGRAM, "server", PORT);
  for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
    asked[attempt] = now();
    send_to_server(REQUEST, attempt);
    if (!lock_is_granted(careful, asked)) continue;
    holds = 1;
    everett_expose(0, "holds", holds); // mark: holds
    usleep(WORK * 1000);
    holds = 0;
    everett_expose(0, "holds", holds);
    send_to_server(RELEASE, attempt);
    return 0;
  }
  return 0;
}
