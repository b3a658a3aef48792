/* Begins a session, and sends one of eight commands with a path of one to four characters. With the argument "glob",
 * patterns are expanded before they come to the server: there is no way to send a wildcard. */
#include <everett.h>

#include "../../../systems/sockets.h"
#include "message.h"

static const uint8_t commands[] = {
    LIST, READ, DELETE_FILE, DELETE_FOLDER, GET_RIGHTS, MAKE_FOLDER, TAKE, DESCRIBE,
};

/* Numbers a request, adds its checksum, and sends it. */
static void request(int fd, struct message *message, uint16_t key, uint16_t sequence, size_t size) {
  put16(message->key, key);
  put16(message->sequence, sequence);
  message->sum = checksum(message, size);
  assert(send(fd, message, size, 0) == (ssize_t)size);
}

/* Returns 1 if the server can be asked for this path. */
static int is_path(const char *path, int globs) {
  if (path[0] == 0) return 0;
  for (; *path; path++)
    if (!is_printable(*path) || (globs && *path == '*')) return 0;
  return 1;
}

int main(int argc, char **argv) {
  int globs = argc > 1 && strcmp(argv[1], "glob") == 0;
  char path[CHARACTERS_MAX + 1];
  uint8_t command, position[4];
  everett_symbolic(command);
  everett_symbolic(path);
  everett_symbolic(position);
  path[CHARACTERS_MAX] = 0;
  if (!is_path(path, globs)) return 0;

  int fd = connected(SOCK_DGRAM, "server", PORT);
  struct message hello = {.command = HELLO}, answer;
  request(fd, &hello, 0, 1, HEADER_BYTES);
  assert(recv(fd, &answer, sizeof answer, 0) == HEADER_BYTES && answer.command == HELLO);
  for (size_t i = 0; i < sizeof commands; i++) {
    if (command != i) continue;
    struct message message = {.command = commands[i]};
    size_t length = strlen(path);
    put16(message.length, length);
    if (message.command == LIST || message.command == READ) memcpy(message.position, position, sizeof position);
    memcpy(message.data, path, length + 1);
    request(fd, &message, get16(answer.key), 2, HEADER_BYTES + length + 1);
    assert(recv(fd, &answer, sizeof answer, 0) == HEADER_BYTES);
  }
  return 0;
}
