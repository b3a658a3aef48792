/* Executes commands on a small set of files in memory. Checksum, key, sequence number, length and position are held
 * against the rest of a request, and so are characters. With the argument "strict", so is the length of the path. */
#include <everett.h>

#include "../../../systems/sockets.h"
#include "message.h"

enum { ENTRIES = 4 };

static struct entry {
  char name[CHARACTERS_MAX + 1];
  char is_folder;
} entries[ENTRIES] = {{"doc", 1}, {"a", 0}};

static struct entry *find(const char *path) {
  for (int i = 0; i < ENTRIES; i++)
    if (entries[i].name[0] && strcmp(entries[i].name, path) == 0) return &entries[i];
  return NULL;
}

/* Each of these says where a command is accepted, and returns 1 if it can be executed. */
static int list(const char *path) {
  everett_accept(); // mark: list
  struct entry *entry = find(path);
  return entry && entry->is_folder;
}

static int read_file(const char *path) {
  everett_accept(); // mark: read
  struct entry *entry = find(path);
  return entry && !entry->is_folder;
}

static int delete_file(const char *path) {
  everett_accept(); // mark: delete_file
  struct entry *entry = find(path);
  if (!entry || entry->is_folder) return 0;
  entry->name[0] = 0;
  return 1;
}

static int delete_folder(const char *path) {
  everett_accept(); // mark: delete_folder
  struct entry *entry = find(path);
  if (!entry || !entry->is_folder) return 0;
  entry->name[0] = 0;
  return 1;
}

static int get_rights(const char *path) {
  everett_accept(); // mark: get_rights
  return find(path) != NULL;
}

static int make_folder(const char *path) {
  everett_accept(); // mark: make_folder
  if (find(path)) return 0;
  for (int i = 0; i < ENTRIES; i++) {
    if (entries[i].name[0]) continue;
    strcpy(entries[i].name, path);
    entries[i].is_folder = 1;
    return 1;
  }
  return 0;
}

static int take(const char *path) {
  everett_accept(); // mark: take
  struct entry *entry = find(path);
  if (!entry || entry->is_folder) return 0;
  entry->name[0] = 0;
  return 1;
}

static int describe(const char *path) {
  everett_accept(); // mark: describe
  return find(path) != NULL;
}

static int execute(enum command command, const char *path) {
  switch (command) {
  case LIST:
    return list(path);
  case READ:
    return read_file(path);
  case DELETE_FILE:
    return delete_file(path);
  case DELETE_FOLDER:
    return delete_folder(path);
  case GET_RIGHTS:
    return get_rights(path);
  case MAKE_FOLDER:
    return make_folder(path);
  case TAKE:
    return take(path);
  case DESCRIBE:
    return describe(path);
  default:
    return -1;
  }
}

static int is_path_command(uint8_t command) {
  switch (command) {
  case LIST:
  case READ:
  case DELETE_FILE:
  case DELETE_FOLDER:
  case GET_RIGHTS:
  case MAKE_FOLDER:
  case TAKE:
  case DESCRIBE:
    return 1;
  default:
    return 0;
  }
}

/* Returns 1 if a request has a path, which ends where its length says, or before. */
static int has_path(const struct message *message, size_t length, int is_strict) {
  if (length == 0 || length > CHARACTERS_MAX || message->data[length] != 0) return 0;
  for (size_t i = 0; i < length; i++) {
    if (message->data[i] == 0) return !is_strict;
    if (!is_printable(message->data[i])) return 0;
  }
  return 1;
}

static int is_zero(const uint8_t position[4]) {
  return (position[0] | position[1] | position[2] | position[3]) == 0;
}

static int is_valid(const struct message *message, size_t size, uint16_t last, int is_strict) {
  if (size < HEADER_BYTES || size > sizeof *message) return 0;
  size_t length = get16(message->length);
  if (message->sum != checksum(message, size)) return 0;
  if (message->command == HELLO) return size == HEADER_BYTES && length == 0;
  if (get16(message->key) != KEY || get16(message->sequence) != (uint16_t)(last + 1)) return 0;
  if (!is_path_command(message->command)) return 0;
  if (message->command != LIST && message->command != READ && !is_zero(message->position)) return 0;
  if (size != HEADER_BYTES + length + 1) return 0;
  return has_path(message, length, is_strict);
}

int main(int argc, char **argv) {
  int fd = bound(SOCK_DGRAM, PORT), is_strict = argc > 1 && strcmp(argv[1], "strict") == 0;
  uint16_t last = 0;
  for (;;) {
    struct message message;
    struct sockaddr_in peer;
    socklen_t peer_size = sizeof peer;
    ssize_t size = recvfrom(fd, &message, sizeof message, MSG_TRUNC, (struct sockaddr *)&peer, &peer_size);
    if (size < 0 || !is_valid(&message, size, last, is_strict)) continue;
    last = get16(message.sequence);
    struct message answer = {.command = message.command};
    put16(answer.key, KEY);
    put16(answer.sequence, last);
    if (message.command != HELLO && execute(message.command, message.data) <= 0) answer.command = 0x40;
    sendto(fd, &answer, HEADER_BYTES, 0, (struct sockaddr *)&peer, peer_size);
  }
}
