/* What nodes and clients of the Raft cluster have in common: messages, times, and the state on a node's disk. */
#ifndef RAFT_H
#define RAFT_H

#include <fcntl.h>
#include <poll.h>
#include <time.h>

#include "../sockets.h"

enum { PORT = 4000, NODES_MAX = 5, LOG_MAX = 4 };

/* Milliseconds. A follower hears from its leader more often than it loses patience; each node has a patience of its
 * own, so that elections end. */
enum { HEARTBEAT = 600, PATIENCE = 700, MORE_PATIENCE = 200 };

struct entry {
  int term, command;
};

enum kind {
  ASK,      /* candidate to all: index and log_term are those of its last entry */
  VOTE,     /* answer: success */
  APPEND,   /* leader to all: entries behind that of index and log_term, and how far the log is committed */
  APPENDED, /* answer: success, and the index up to which the log agrees with the leader's */
  PROPOSE,  /* client to a node: the command of the first entry */
  COMMITTED,
  NOT_LEADER, /* answers to a client */
};

struct message {
  int kind, term, from, index, log_term, commit, success, count;
  struct entry entries[LOG_MAX];
};

static inline long long now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000ll + time.tv_nsec / 1000000;
}

static inline struct sockaddr_in address_of_node(int node) {
  char name[16];
  snprintf(name, sizeof name, "node%d", node);
  return address_of(name, PORT);
}

/* Waits for a message until a time. */
static inline int receive(int fd, struct message *message, struct sockaddr_in *from, long long until) {
  long long left = until - now();
  struct pollfd news = {fd, POLLIN, 0};
  if (poll(&news, 1, left > 0 ? (int)left : 0) != 1) return 0;
  socklen_t length = sizeof *from;
  return recvfrom(fd, message, sizeof *message, 0, (struct sockaddr *)from, &length) == sizeof *message;
}

static inline void send_message(int fd, const struct message *message, const struct sockaddr_in *to) {
  sendto(fd, message, sizeof *message, 0, (const struct sockaddr *)to, sizeof *to);
}

/* What survives a crash. */
struct durable {
  int term, voted_for, length;
  struct entry log[LOG_MAX + 1]; /* from 1 on */
};

/* The file of the durable state, which is one line of text: term, vote, and entries as TERM:COMMAND. The line is much
 * smaller than a sector, whose write is taken to be atomic. */
static inline int open_state(void) {
  int file = open("state", O_RDWR);
  if (file < 0) {
    file = open("state", O_RDWR | O_CREAT, 0644);
    int folder = open(".", O_RDONLY | O_DIRECTORY);
    assert(file >= 0 && folder >= 0 && fsync(folder) == 0);
    close(folder);
  }
  return file;
}

static inline struct durable read_state(int file) {
  struct durable state = {0};
  char line[128] = "", *at = line;
  ssize_t size = pread(file, line, sizeof line - 1, 0);
  assert(size >= 0);
  if (size == 0) return state;
  state.term = strtol(at, &at, 10);
  state.voted_for = strtol(at, &at, 10);
  while (*at == ' ') {
    assert(state.length < LOG_MAX);
    struct entry *entry = &state.log[++state.length];
    entry->term = strtol(at, &at, 10);
    entry->command = strtol(at + 1, &at, 10);
  }
  return state;
}

static inline void write_state(int file, const struct durable *state) {
  char line[128];
  int size = snprintf(line, sizeof line, "%d %d", state->term, state->voted_for);
  for (int i = 1; i <= state->length; i++)
    size += snprintf(line + size, sizeof line - size, " %d:%d", state->log[i].term, state->log[i].command);
  line[size++] = '\n';
  assert(pwrite(file, line, size, 0) == size);
}

#endif
