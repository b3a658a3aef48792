/* The log-in of a database. The server greets with a random scramble; the client answers with its name and a token,
 * which is made of the password and the scramble. The server makes the same token from what it has stored, and
 * compares.
 *
 * The comparison is that of a fast C library: it looks at words, and its result is negative, zero or positive and as
 * large as it happens to be. */
#include <stdint.h>

#include "../../../systems/sockets.h"

enum { SCRAMBLE_WORDS = 4, NAME_BYTES = 8 };

struct greeting {
  uint16_t scramble[SCRAMBLE_WORDS];
};

struct login {
  char name[NAME_BYTES];
  uint16_t token[SCRAMBLE_WORDS];
};

struct account {
  char name[NAME_BYTES];
  uint16_t password[SCRAMBLE_WORDS];
};

static const struct account accounts[] = {
    {"root", {0x5eed, 0x1234, 0x0bad, 0xcafe}},
    {"guest", {0x00c0, 0xffee, 0x1234, 0x5678}},
};

static int fast_compare(const uint16_t *left, const uint16_t *right, int words) {
  for (int i = 0; i < words; i++)
    if (left[i] != right[i]) return ntohs(left[i]) - ntohs(right[i]);
  return 0;
}

/* A word of the token that belongs to a password. */
static uint16_t token_word(const struct account *account, const struct greeting *greeting, int i) {
  return (account->password[i] ^ greeting->scramble[i]) * 40503u;
}

/* Returns 0 if the token is that of the password. */
#ifdef REPAIRED
static int check_scramble(const struct account *account, const struct greeting *greeting, const uint16_t *token) {
#else
static char check_scramble(const struct account *account, const struct greeting *greeting, const uint16_t *token) {
#endif
  uint16_t expected[SCRAMBLE_WORDS];
  for (int i = 0; i < SCRAMBLE_WORDS; i++) expected[i] = token_word(account, greeting, i);
  return fast_compare(expected, token, SCRAMBLE_WORDS);
}

static const struct account *find_account(const char *name) {
  for (size_t i = 0; i < sizeof accounts / sizeof *accounts; i++)
    if (strncmp(accounts[i].name, name, NAME_BYTES) == 0) return &accounts[i];
  return NULL;
}

/* Lets somebody in. Whoever is let in has to know the password. */
static void admit(int fd, const struct account *account, const struct greeting *greeting, const uint16_t *token) {
  for (int i = 0; i < SCRAMBLE_WORDS; i++) assert(token[i] == token_word(account, greeting, i));
  write_all(fd, "welcome\n", 8);
}

static void serve(int fd, int number) {
  struct greeting greeting = {{0x1357 + number, 0x2468 * number, 0x0f0f, 0x7777 ^ number}};
  struct login login;
  write_all(fd, &greeting, sizeof greeting);
  if (read_all(fd, &login, sizeof login) < sizeof login) return;
  const struct account *account = find_account(login.name);
  if (account == NULL || check_scramble(account, &greeting, login.token) != 0)
    write_all(fd, "denied!\n", 8);
  else
    admit(fd, account, &greeting, login.token);
}

int main(void) {
  int listener = listening(3306);
  for (int number = 1;; number++) {
    int fd = accept(listener, NULL, NULL);
    assert(fd >= 0);
    serve(fd, number);
    close(fd);
  }
}
