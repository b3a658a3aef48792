/* A cache with a binary protocol. A request is a header, a key and a value; the header has the length of the key and
 * that of the body, which is key and value together. An item is one piece of memory: its header, the key with a zero
 * at its end, and the value. There are pieces of a few sizes, and an item gets the smallest in which it fits. */
#include <stdint.h>

#include "../../../systems/sockets.h"

enum { MAGIC = 0x80, GET = 0, SET = 1, APPEND = 14 };
enum { SUCCESS = 0, NOT_FOUND = 1, TOO_LARGE = 3, INVALID = 4 };
enum { KEY_MAX = 12, SLAB_CLASSES = 4 };

static const size_t slab_sizes[SLAB_CLASSES] = {24, 32, 48, 64};

struct header {
  uint8_t magic, opcode;
  uint16_t key_length;
  uint32_t body_length;
};

struct item {
  struct item *next;
  int key_length, value_length;
  char data[];
};

static struct item *items;

static char *value_of(struct item *item) { return item->data + item->key_length + 1; }

static struct item **find(const char *key, int length) {
  struct item **at = &items;
  while (*at != NULL && ((*at)->key_length != length || memcmp((*at)->data, key, length) != 0))
    at = &(*at)->next;
  return at;
}

/* Makes an item with a key; the value is the caller's. Returns NULL if it would be too large. */
static struct item *item_alloc(const char *key, int key_length, int value_length) {
  size_t size = sizeof(struct item) + key_length + 1 + value_length;
  int slab = 0;
  while (slab < SLAB_CLASSES && slab_sizes[slab] < size) slab++;
  if (slab == SLAB_CLASSES) return NULL;
  struct item *item = malloc(slab_sizes[slab]);
  assert(item != NULL);
  item->next = NULL;
  item->key_length = key_length;
  item->value_length = value_length;
  memcpy(item->data, key, key_length);
  item->data[key_length] = 0;
  return item;
}

static void put(struct item *item) {
  struct item **at = find(item->data, item->key_length);
  struct item *old = *at;
  item->next = old != NULL ? old->next : NULL;
  *at = item;
  free(old);
}

/* Reads the value behind the key, and returns the new item; on errors NULL and the status. */
static struct item *read_item(int fd, const char *key, const struct header *header, int *status) {
  int value_length = header->body_length - header->key_length;
  struct item *item = item_alloc(key, header->key_length, value_length);
  *status = TOO_LARGE;
  if (item == NULL) return NULL;
  *status = INVALID;
  if (value_length <= 0 || read_all(fd, value_of(item), value_length) == (size_t)value_length) return item;
  free(item);
  return NULL;
}

static int process_set(int fd, const char *key, const struct header *header) {
  if ((int)header->body_length < header->key_length) return INVALID;
  int status;
  struct item *item = read_item(fd, key, header, &status);
  if (item == NULL) return status;
  put(item);
  return SUCCESS;
}

static int process_append(int fd, const char *key, const struct header *header) {
#ifdef REPAIRED
  if ((int)header->body_length < header->key_length) return INVALID;
#endif
  int status;
  struct item *more = read_item(fd, key, header, &status);
  if (more == NULL) return status;
  struct item *old = *find(key, header->key_length);
  status = NOT_FOUND;
  if (old != NULL) {
    struct item *both = item_alloc(key, header->key_length, old->value_length + more->value_length);
    status = TOO_LARGE;
    if (both != NULL) {
      memcpy(value_of(both), value_of(old), old->value_length);
      memcpy(value_of(both) + old->value_length, value_of(more), more->value_length);
      put(both);
      status = SUCCESS;
    }
  }
  free(more);
  return status;
}

/* Returns 0 at the end of the connection. */
static int serve(int fd) {
  struct header header;
  char key[KEY_MAX];
  if (read_all(fd, &header, sizeof header) < sizeof header || header.magic != MAGIC) return 0;
  header.key_length = ntohs(header.key_length);
  header.body_length = ntohl(header.body_length);
  if (header.key_length == 0 || header.key_length > KEY_MAX) return 0;
  if (read_all(fd, key, header.key_length) < header.key_length) return 0;
  unsigned char status = INVALID;
  switch (header.opcode) {
  case GET:
    status = *find(key, header.key_length) != NULL ? SUCCESS : NOT_FOUND;
    break;
  case SET:
    status = process_set(fd, key, &header);
    break;
  case APPEND:
    status = process_append(fd, key, &header);
    break;
  }
  write_all(fd, &status, 1);
  return 1;
}

int main(void) {
  int listener = listening(11211);
  for (;;) {
    int fd = accept(listener, NULL, NULL);
    assert(fd >= 0);
    while (serve(fd)) {}
    close(fd);
  }
}
