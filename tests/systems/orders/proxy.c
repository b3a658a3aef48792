/* Passes the requests of two clients on to two backends, each of which has every second key, and their answers back.
 * A careless proxy gives an answer to the client that has waited longest. If a backend is slower than the other one,
 * that is the wrong client. A careful proxy looks for the client that has asked for this key. */
#include <poll.h>

#include "proxy.h"

static struct {
  int client, key;
} waiting[SIDES];
static int waiters;

/* Takes a client out of the queue. */
static int next_client(int place) {
  int client = waiting[place].client;
  for (waiters--; place < waiters; place++) waiting[place] = waiting[place + 1];
  return client;
}

static int place_of(int key) {
  for (int i = 0; i < waiters; i++)
    if (waiting[i].key == key) return i;
  abort();
}

int main(int argc, char **argv) {
  assert(argc == 2);
  int careful = strcmp(argv[1], "careful") == 0, listener = listening(PROXY_PORT);
  struct pollfd sides[2 * SIDES]; /* backends, then clients */
  for (int i = 0; i < SIDES; i++) {
    char name[16];
    snprintf(name, sizeof name, "backend%d", i + 1);
    sides[i] = (struct pollfd){connected(SOCK_STREAM, name, BACKEND_PORT), POLLIN, 0};
  }
  for (int i = SIDES; i < 2 * SIDES; i++) {
    sides[i] = (struct pollfd){accept(listener, NULL, NULL), POLLIN, 0};
    assert(sides[i].fd >= 0);
  }
  for (int answered = 0; answered < SIDES;) {
    assert(poll(sides, 2 * SIDES, -1) > 0);
    for (int i = 0; i < 2 * SIDES; i++) {
      struct message message;
      if (sides[i].revents == 0) continue;
      if (read_all(sides[i].fd, &message, sizeof message) == 0) {
        sides[i].fd = -1; /* a client that has its answer */
      } else if (i >= SIDES) {
        waiting[waiters].client = sides[i].fd;
        waiting[waiters++].key = message.key;
        write_all(sides[message.key % SIDES].fd, &message, sizeof message);
      } else {
        write_all(next_client(careful ? place_of(message.key) : 0), &message, sizeof message);
        answered++;
      }
    }
  }
  return 0;
}
