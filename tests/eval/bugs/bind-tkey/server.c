/* A name server that makes keys. A message has questions, answers and additional records, whose owners are names with
 * sets of records. A question of the type TKEY has a record of that type with the same owner among the additional
 * ones; some clients put it among the answers. */
#include "../../../systems/sockets.h"

enum { QUESTION, ANSWER, ADDITIONAL, SECTIONS };
enum { TYPE_TXT = 16, TYPE_TKEY = 249, HEADER_BYTES = 6, RECORDS_MAX = 3, NAMES_MAX = 4 };
enum result { FOUND, NO_NAME, NO_TYPE };

struct name {
  unsigned char length, text[3];
  unsigned char types[RECORDS_MAX];
  int type_count;
};

struct section {
  struct name names[NAMES_MAX];
  int count;
};

struct message {
  unsigned char id[2];
  struct section sections[SECTIONS];
};

static int is_same(const struct name *left, const struct name *right) {
  return left->length == right->length && memcmp(left->text, right->text, left->length) == 0;
}

/* Finds a name in a section, and then a type that it has. Tells the name also if it does not have the type. */
static enum result find_name(const struct section *section, const struct name *target, unsigned char type,
                             const struct name **found) {
  assert(found == NULL || *found == NULL);
  for (int i = 0; i < section->count; i++) {
    const struct name *name = &section->names[i];
    if (!is_same(name, target)) continue;
    if (found != NULL) *found = name;
    for (int j = 0; j < name->type_count; j++)
      if (name->types[j] == type) return FOUND;
    return NO_TYPE;
  }
  return NO_NAME;
}

/* Makes a key for the first question. Returns the code of the answer. */
static unsigned char process_tkey(const struct message *message) {
  const struct name *question = &message->sections[QUESTION].names[0];
  const struct name *name = NULL;
  enum result result = find_name(&message->sections[ADDITIONAL], question, TYPE_TKEY, &name);
  if (result != FOUND) {
#ifdef REPAIRED
    name = NULL;
#endif
    result = find_name(&message->sections[ANSWER], question, TYPE_TKEY, &name);
  }
  return result == FOUND ? 0 : 1;
}

/* Adds a record to the name that owns it. */
static void add(struct section *section, const struct name *owner, unsigned char type) {
  int i = 0;
  while (i < section->count && !is_same(&section->names[i], owner)) i++;
  struct name *name = &section->names[i];
  if (i == section->count) {
    *name = *owner;
    section->count++;
  }
  name->types[name->type_count++] = type;
}

/* Reads a message: an identity, a flag, a number of records for each section, and the records. Returns 0 if it is
 * none. */
static int parse(struct message *message, const unsigned char *bytes, size_t size) {
  size_t at = HEADER_BYTES;
  if (size < HEADER_BYTES || bytes[2] != 0) return 0;
  memcpy(message->id, bytes, 2);
  for (int section = 0; section < SECTIONS; section++) {
    int count = bytes[3 + section];
    if (count > RECORDS_MAX) return 0;
    for (int i = 0; i < count; i++) {
      struct name owner = {0};
      if (at >= size || bytes[at] == 0 || bytes[at] > sizeof owner.text) return 0;
      owner.length = bytes[at++];
      if (at + owner.length + 1 > size) return 0;
      memcpy(owner.text, bytes + at, owner.length);
      at += owner.length;
      add(&message->sections[section], &owner, bytes[at++]);
    }
  }
  return message->sections[QUESTION].count == 1;
}

static unsigned char answer_code(const struct message *message) {
  switch (message->sections[QUESTION].names[0].types[0]) {
  case TYPE_TKEY:
    return process_tkey(message);
  case TYPE_TXT:
    return 0;
  default:
    return 4;
  }
}

int main(void) {
  int fd = bound(SOCK_DGRAM, 5353);
  for (;;) {
    struct sockaddr_in peer;
    socklen_t peer_size = sizeof peer;
    unsigned char bytes[64];
    ssize_t size = recvfrom(fd, bytes, sizeof bytes, 0, (struct sockaddr *)&peer, &peer_size);
    struct message message = {0};
    assert(size >= 0);
    if (!parse(&message, bytes, size)) continue;
    unsigned char answer[3] = {message.id[0], message.id[1], answer_code(&message)};
    sendto(fd, answer, sizeof answer, 0, (struct sockaddr *)&peer, peer_size);
  }
}
