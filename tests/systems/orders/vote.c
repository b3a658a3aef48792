/* Elects a leader among three nodes, of which the first two stand: at one second and then each second, in a new term
 * each time, until somebody leads. A node votes once in a term, for whoever asks first; two votes are a majority. A
 * careless candidate counts a vote for an earlier term, which comes late, in the term that it is in now. The voter
 * may have given its vote of that term to the other candidate, so that both lead. A careful one compares the terms. */
#include <everett.h>
#include <poll.h>
#include <time.h>

#include "../sockets.h"

enum { PORT = 4000, NODES = 3, LAST_TERM = 3 };
enum { ASK, VOTE, LEAD };

struct message {
  int kind, term, from;
};

static int self, fd, term, voted_for, votes;

static void tell(int node, int kind) {
  char name[16];
  snprintf(name, sizeof name, "node%d", node);
  struct sockaddr_in peer = address_of(name, PORT);
  struct message message = {kind, term, self};
  assert(sendto(fd, &message, sizeof message, 0, (struct sockaddr *)&peer, sizeof peer) == sizeof message);
}

static void tell_others(int kind) {
  for (int node = 1; node <= NODES; node++)
    if (node != self) tell(node, kind);
}

static void stand(void) {
  term++;
  voted_for = self;
  votes = 1;
  tell_others(ASK);
}

static long long now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000ll + time.tv_nsec / 1000000;
}

/* Waits for a message until a deadline; for ever if that is negative. */
static int receive(struct message *message, long long deadline) {
  long long left = deadline - now();
  struct pollfd news = {fd, POLLIN, 0};
  if (poll(&news, 1, deadline < 0 ? -1 : left > 0 ? left : 0) == 0) return 0;
  assert(recv(fd, message, sizeof *message, 0) == sizeof *message);
  return 1;
}

int main(int argc, char **argv) {
  assert(argc == 3);
  self = atoi(argv[1]);
  int careful = strcmp(argv[2], "careful") == 0, stands = self < NODES;
  fd = bound(SOCK_DGRAM, PORT);
  long long deadline = stands ? now() + 1000 : -1;
  for (;;) {
    struct message message;
    if (!receive(&message, deadline)) {
      if (term == LAST_TERM) return 0;
      stand();
      deadline += 1000;
      continue;
    }
    if (message.term > term) {
      term = message.term;
      voted_for = votes = 0;
    }
    switch (message.kind) {
    case ASK:
      if (message.term == term && (voted_for == 0 || voted_for == message.from)) {
        voted_for = message.from;
        tell(message.from, VOTE);
      }
      break;
    case VOTE:
      if (voted_for != self || (careful && message.term != term)) break;
      if (++votes * 2 <= NODES) break;
      everett_expose(term, "leader", self); // mark: leads
      tell_others(LEAD);
      return 0;
    case LEAD:
      if (message.term == term && stands) return 0;
    }
  }
}
