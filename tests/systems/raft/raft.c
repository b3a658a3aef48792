/* A node of a Raft cluster: leader election and log replication, after "In Search of an Understandable Consensus
 * Algorithm" by Ongaro and Ousterhout, 2014. Arguments: the number of the node, the number of nodes, the last term in
 * which this node stands, and the time in milliseconds at which it ends.
 *
 * Everything that others rely on is on the disk before they hear of it, and is exposed to invariants in between.
 * MUTANT leaves out one of the rules that make the algorithm safe:
 *
 * 1  a leader commits entries of earlier terms by counting their copies
 * 2  a vote is not synced to the disk, so that a node may vote twice in a term after a restart
 * 3  a node votes for candidates whose logs lack entries that its own log has
 * 4  a leader applies commands before they are committed
 * 5  a leader takes every answer of a follower for an answer to its last request, and moves the next index behind its
 *    own log */
#include <everett.h>

#include "raft.h"

#ifndef MUTANT
#define MUTANT 0
#endif

enum role { FOLLOWER, CANDIDATE, LEADER };

static int self, nodes, last_term, fd, file;
static long long end, deadline;
static struct sockaddr_in peers[NODES_MAX + 1];

static struct durable disk;
static enum role role;
static int votes[NODES_MAX + 1];
static int commit, applied;

/* Of a leader: what it sends next to each node, what it knows each node to have, and who waits for an entry. */
static int next_index[NODES_MAX + 1], match_index[NODES_MAX + 1];
static struct sockaddr_in proposers[LOG_MAX + 1];

/* Exposes the first entries of the log, with their number in front. */
static void expose_log(int state, const char *key, int length) {
  int data[1 + 2 * LOG_MAX] = {length};
  memcpy(data + 1, disk.log + 1, length * sizeof(struct entry));
  klee_invariant_expose_data(state, key, data, sizeof(int) + length * sizeof(struct entry)); // mark: log
}

/* Makes the term and the vote durable. */
static void persist(void) {
  write_state(file, &disk);
  assert(fsync(file) == 0);
}

/* Makes the log durable. */
static void persist_log(void) {
  persist();
  expose_log(0, "log", disk.length);
}

static void send_to(int node, struct message message) {
  message.term = disk.term;
  message.from = self;
  send_message(fd, &message, &peers[node]);
}

static int is_majority(int count) { return 2 * count > nodes; }

static int last_log_term(void) { return disk.log[disk.length].term; }

static void be_patient(void) { deadline = now() + PATIENCE + MORE_PATIENCE * (self - 1); }

/* Gives entries of the log to the state machine, which is not more than its history here. */
static void apply(int limit) {
  if (applied >= limit) return;
  applied = limit;
  expose_log(0, "applied", applied);
}

/* Enters a term that somebody else is in already. */
static void follow(int term) {
  if (term > disk.term) {
    disk.term = term;
    disk.voted_for = 0;
    persist();
  }
  if (role == LEADER) be_patient();
  role = FOLLOWER;
}

/* Sends a node what it lacks, or nothing but a sign of life. */
static void replicate_to(int node) {
  int previous = next_index[node] - 1;
  struct message message = {.kind = APPEND, .index = previous, .log_term = disk.log[previous].term, .commit = commit};
  message.count = disk.length - previous;
  memcpy(message.entries, disk.log + next_index[node], message.count * sizeof(struct entry));
  send_to(node, message);
}

static void replicate(void) {
  for (int node = 1; node <= nodes; node++)
    if (node != self) replicate_to(node);
  deadline = now() + HEARTBEAT;
}

static void lead(void) {
  role = LEADER;
  memset(proposers, 0, sizeof proposers);
  for (int node = 1; node <= nodes; node++) {
    next_index[node] = disk.length + 1;
    match_index[node] = 0;
  }
  everett_expose(disk.term, "leader", self); // mark: leads
  expose_log(disk.term, "leader-log", disk.length);
  replicate();
}

static void stand(void) {
  role = CANDIDATE;
  disk.term++;
  disk.voted_for = self;
  persist();
  memset(votes, 0, sizeof votes);
  votes[self] = 1;
  be_patient();
  for (int node = 1; node <= nodes; node++)
    if (node != self) send_to(node, (struct message){.kind = ASK, .index = disk.length, .log_term = last_log_term()});
}

static void on_ask(const struct message *ask) {
  int as_good = ask->log_term > last_log_term() || (ask->log_term == last_log_term() && ask->index >= disk.length);
  int free_to_vote = disk.voted_for == 0 || disk.voted_for == ask->from;
  int granted = ask->term == disk.term && free_to_vote && (as_good || MUTANT == 3);
  if (granted) {
    disk.voted_for = ask->from;
    MUTANT == 2 ? write_state(file, &disk) : persist();
    be_patient();
  }
  send_to(ask->from, (struct message){.kind = VOTE, .success = granted});
}

static void on_vote(const struct message *vote) {
  if (role != CANDIDATE || vote->term != disk.term || !vote->success) return;
  votes[vote->from] = 1;
  int count = 0;
  for (int node = 1; node <= nodes; node++) count += votes[node];
  if (is_majority(count)) lead();
}

/* Takes over the leader's entries; returns how far the log agrees with the leader's, or -1. */
static int take_over(const struct message *append) {
  if (append->index > disk.length || disk.log[append->index].term != append->log_term) return -1;
  int index = append->index, changed = 0;
  for (int i = 0; i < append->count; i++) {
    index++;
    if (index <= disk.length && disk.log[index].term == append->entries[i].term) continue;
    disk.log[index] = append->entries[i];
    disk.length = index;
    changed = 1;
  }
  if (changed) persist_log();
  return index;
}

static void on_append(const struct message *append) {
  int agreed = -1;
  if (append->term == disk.term) {
    follow(append->term);
    be_patient();
    agreed = take_over(append);
    int known = append->commit < agreed ? append->commit : agreed;
    if (known > commit) commit = known;
    apply(commit);
  }
  send_to(append->from, (struct message){.kind = APPENDED, .success = agreed >= 0, .index = agreed});
}

/* Tells the client that proposed an entry, if it waits, that the entry is committed. */
static void answer_client(int index) {
  struct message answer = {.kind = COMMITTED, .from = self, .entries = {disk.log[index]}};
  if (proposers[index].sin_family != 0) send_message(fd, &answer, &proposers[index]);
}

/* Commits what a majority has. Entries of earlier terms are committed along with one of this term, and not alone. */
static void commit_what_is_safe(void) {
  int before = commit;
  for (int index = disk.length; index > commit; index--) {
    int count = 1;
    for (int node = 1; node <= nodes; node++) count += node != self && match_index[node] >= index;
    if (!is_majority(count) || (disk.log[index].term != disk.term && MUTANT != 1)) continue;
    commit = index;
  }
  if (commit == before) return;
  expose_log(disk.term, "committed", commit);
  apply(commit);
  while (before < commit) answer_client(++before);
}

static void on_appended(const struct message *answer) {
  int node = answer->from;
  if (role != LEADER || answer->term != disk.term) return;
  if (!answer->success) {
    if (next_index[node] > 1) next_index[node]--;
    replicate_to(node);
    return;
  }
  int agreed = MUTANT == 5 ? disk.length : answer->index;
  if (agreed > match_index[node]) match_index[node] = agreed;
  next_index[node] = match_index[node] + 1;
  commit_what_is_safe();
}

static void on_propose(const struct message *proposal, const struct sockaddr_in *client) {
  int command = proposal->entries[0].command, index = 1;
  while (index <= disk.length && disk.log[index].command != command) index++;
  if (role != LEADER || index > LOG_MAX) {
    send_message(fd, &(struct message){.kind = NOT_LEADER, .from = self}, client);
    return;
  }
  proposers[index] = *client;
  if (index <= commit) {
    answer_client(index);
  } else if (index > disk.length) {
    disk.log[index] = (struct entry){disk.term, command};
    disk.length = index;
    persist_log();
    if (MUTANT == 4) apply(disk.length);
    replicate();
  }
}

static void on_message(const struct message *message, const struct sockaddr_in *from) {
  if (message->kind != PROPOSE && message->term > disk.term) follow(message->term);
  switch (message->kind) {
  case ASK: on_ask(message); break;
  case VOTE: on_vote(message); break;
  case APPEND: on_append(message); break;
  case APPENDED: on_appended(message); break;
  case PROPOSE: on_propose(message, from); break;
  }
}

static void on_deadline(void) {
  if (role == LEADER)
    replicate();
  else if (disk.term < last_term)
    stand();
  else
    deadline = end; /* somebody else has to lead */
}

int main(int argc, char **argv) {
  assert(argc == 5);
  self = atoi(argv[1]);
  nodes = atoi(argv[2]);
  last_term = atoi(argv[3]);
  end = now() + atoi(argv[4]);
  assert(nodes <= NODES_MAX);
  for (int node = 1; node <= nodes; node++) peers[node] = address_of_node(node);
  fd = socket(AF_INET, SOCK_DGRAM, 0);
  assert(fd >= 0 && bind(fd, (struct sockaddr *)&peers[self], sizeof peers[self]) == 0);
  file = open_state();
  disk = read_state(file);
  expose_log(0, "log", disk.length);
  be_patient();
  while (now() < end) {
    struct message message;
    struct sockaddr_in from;
    if (receive(fd, &message, &from, deadline < end ? deadline : end))
      on_message(&message, &from);
    else if (now() >= deadline)
      on_deadline();
  }
  return 0;
}
