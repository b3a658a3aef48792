/* A store of values behind TCP. A request is an operation, the length of a key, the key and a value. */
#include "../sockets.h"

enum { KEY_BYTES = 4, ENTRIES = 4 };

#ifndef NAME_BYTES
#define NAME_BYTES (KEY_BYTES + 1)
#endif

struct request {
  unsigned char operation, length, key[KEY_BYTES], value;
};

struct entry {
  char name[NAME_BYTES];
  unsigned char value;
};

static struct entry entries[ENTRIES];
static int count;

static struct entry *find(const char *name) {
  for (int i = 0; i < count; i++)
    if (strcmp(entries[i].name, name) == 0) return &entries[i];
  return NULL;
}

static char put(const char *name, unsigned char value) {
  struct entry *entry = find(name);
  if (entry == NULL) {
    if (count == ENTRIES) return 'f';
    entry = &entries[count++];
    strcpy(entry->name, name);
  }
  entry->value = value;
  return 'k';
}

static void serve(int fd, const struct request *request) {
  char name[NAME_BYTES];
  if (request->length > KEY_BYTES) {
    write_all(fd, "?", 1);
    return;
  }
  for (int i = 0; i < request->length; i++) name[i] = request->key[i];
  name[request->length] = 0; // mark: overflow
  switch (request->operation) {
  case 'p': {
    char answer = put(name, request->value);
    write_all(fd, &answer, 1);
    break;
  }
  case 'g': {
    struct entry *entry = find(name);
    char answer[2] = {entry ? 'v' : 'n', entry ? entry->value : 0};
    write_all(fd, answer, sizeof answer);
    break;
  }
  default:
    write_all(fd, "!", 1);
  }
}

int main(void) {
  int listener = listening(6379);
  for (;;) {
    int fd = accept(listener, NULL, NULL);
    assert(fd >= 0);
    struct request request;
    while (read_all(fd, &request, sizeof request) == sizeof request) serve(fd, &request);
    close(fd);
  }
}
