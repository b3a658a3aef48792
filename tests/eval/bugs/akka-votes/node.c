/* A node of a cluster that elects leaders as in Raft, "In Search of an Understandable Consensus Algorithm" by Ongaro
 * and Ousterhout, 2014. A node that hears of no election for some time enters the next term, votes for itself and
 * asks the others; it leads with the votes of more than half. A node votes once in a term.
 *
 * Arguments: the number of the node, and its patience in milliseconds. */
#include <everett.h>
#include <poll.h>
#include <time.h>

#include "../../../systems/sockets.h"

enum { NODES = 3, LAST_TERM = 2, END_MS = 300, PORT = 4000 };

struct message {
  enum { ASK, VOTE } kind;
  int term, from;
};

static enum { FOLLOWER, CANDIDATE, LEADER } role;
static int self, patience, fd;
static int term, voted_for;
static int votes; /* a bit for each node that has voted for this one */
static long long deadline;

/* Milliseconds since the first call. */
static long long now(void) {
  static long long start = -1;
  struct timespec time;
  assert(clock_gettime(CLOCK_MONOTONIC, &time) == 0);
  long long milliseconds = time.tv_sec * 1000LL + time.tv_nsec / 1000000;
  if (start < 0) start = milliseconds;
  return milliseconds - start;
}

static void send_to(int node, int kind) {
  char name[16];
  struct message message = {.kind = kind, .term = term, .from = self};
  snprintf(name, sizeof name, "node%d", node);
  struct sockaddr_in to = address_of(name, PORT);
  sendto(fd, &message, sizeof message, 0, (struct sockaddr *)&to, sizeof to);
}

static void enter_term(int number) {
  term = number;
  voted_for = 0;
  votes = 0;
  role = FOLLOWER;
}

static void stand(void) {
  enter_term(term + 1);
  role = CANDIDATE;
  voted_for = self;
  votes = 1 << self;
  for (int node = 1; node <= NODES; node++)
    if (node != self) send_to(node, ASK);
}

static void lead(void) {
  role = LEADER;
  klee_invariant_expose_data(term, "leader", &self, sizeof self);
}

/* Somebody wants to lead. */
static void handle_ask(const struct message *message) {
  if (message->term < term || (voted_for != 0 && voted_for != message->from)) return;
  voted_for = message->from;
  deadline = now() + patience;
  send_to(message->from, VOTE);
}

static void handle_vote(const struct message *message) {
  if (role != CANDIDATE) return;
#ifdef REPAIRED
  if (message->term != term) return;
#endif
  votes |= 1 << message->from;
  if (__builtin_popcount(votes) > NODES / 2) lead();
}

static void handle_message(void) {
  struct message message;
  if (recv(fd, &message, sizeof message, 0) != sizeof message) return;
  if (message.term > term) enter_term(message.term);
  if (message.kind == ASK)
    handle_ask(&message);
  else
    handle_vote(&message);
}

int main(int argc, char **argv) {
  assert(argc == 3);
  self = atoi(argv[1]);
  patience = atoi(argv[2]);
  fd = bound(SOCK_DGRAM, PORT);
  deadline = now() + patience;
  struct pollfd news = {.fd = fd, .events = POLLIN};
  while (now() < END_MS) {
    int has_news = poll(&news, 1, (deadline < END_MS ? deadline : END_MS) - now()) > 0;
    if (has_news) {
      handle_message();
    } else if (now() >= deadline) {
      deadline = now() + patience;
      if (role != LEADER && term < LAST_TERM) stand();
    }
  }
  close(fd);
  return 0;
}
