/* The protocol of the database and of the cache in front of it: one value, asked for by datagrams. */
#ifndef CACHE_H
#define CACHE_H

#include "../sockets.h"

enum { DATABASE_PORT = 6000, CACHE_PORT = 6001 };
enum { GET, SET, DELETE, DONE, MISS };

struct message {
  int kind, value, token;
};

/* Sends a request and waits for its answer. */
static inline struct message ask(int fd, struct message request) {
  struct message answer;
  assert(send(fd, &request, sizeof request, 0) == sizeof request);
  assert(recv(fd, &answer, sizeof answer, 0) == sizeof answer);
  return answer;
}

/* Receives a request. */
static inline struct message receive(int fd, struct sockaddr_in *peer) {
  struct message request;
  socklen_t length = sizeof *peer;
  assert(recvfrom(fd, &request, sizeof request, 0, (struct sockaddr *)peer, &length) == sizeof request);
  return request;
}

static inline void answer(int fd, const struct sockaddr_in *peer, struct message answer) {
  assert(sendto(fd, &answer, sizeof answer, 0, (const struct sockaddr *)peer, sizeof *peer) == sizeof answer);
}

#endif
