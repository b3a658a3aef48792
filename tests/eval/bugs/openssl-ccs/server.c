/* The states of a TLS handshake, seen from the server. Each message is a kind and a byte. The client says hello,
 * sends its part of the key, and changes to ciphers; from then on everything is encrypted with a key that is made of
 * the secret. */
#include <stdint.h>

#include "../../../systems/sockets.h"

enum { HELLO = 1, KEY_EXCHANGE = 16, CHANGE_CIPHERS = 20, FINISHED = 21, DATA = 23 };
enum state { WANTS_HELLO, WANTS_KEY, WANTS_FINISHED, OPEN };

struct session {
  enum state state;
  uint8_t client_random, secret, key;
  int has_secret, is_encrypted;
};

/* Makes the key. Nobody else knows the secret. */
static void make_key(struct session *session) {
  assert(session->has_secret && "the key is made of an empty secret");
  session->key = session->secret * 31 + session->client_random;
}

/* The change of ciphers is a message of its own kind, apart from the handshake. */
static int change_ciphers(struct session *session) {
  if (session->state == OPEN || session->is_encrypted) return -1;
#ifdef REPAIRED
  if (session->state != WANTS_FINISHED) return -1;
#endif
  make_key(session);
  session->is_encrypted = 1;
  return 0;
}

static int handshake(struct session *session, uint8_t kind, uint8_t value) {
  switch (session->state) {
  case WANTS_HELLO:
    if (kind != HELLO) return -1;
    session->client_random = value;
    session->state = WANTS_KEY;
    return 0;
  case WANTS_KEY:
    if (kind != KEY_EXCHANGE) return -1;
    session->secret = value ^ 0x5a;
    session->has_secret = 1;
    session->state = WANTS_FINISHED;
    return 0;
  case WANTS_FINISHED:
    if (kind != FINISHED || !session->is_encrypted || value != session->key) return -1;
    session->state = OPEN;
    return 0;
  case OPEN:
    return kind == DATA ? 0 : -1;
  }
  return -1;
}

static void serve(int fd) {
  struct session session = {.state = WANTS_HELLO};
  uint8_t message[2];
  while (read_all(fd, message, sizeof message) == sizeof message) {
    int status = message[0] == CHANGE_CIPHERS ? change_ciphers(&session) : handshake(&session, message[0], message[1]);
    if (status < 0) {
      write_all(fd, "alert\n", 6);
      return;
    }
  }
  if (session.state == OPEN) write_all(fd, "closed\n", 7);
}

int main(void) {
  int listener = listening(4433);
  for (;;) {
    int fd = accept(listener, NULL, NULL);
    assert(fd >= 0);
    serve(fd);
    close(fd);
  }
}
