/* The resolver of a web server: asks for the address of a name, and understands answers that give another name
 * instead (CNAME). Names are labels with their lengths in front, and end with an empty label or with a pointer to
 * the rest, which is elsewhere in the message. A name is copied in two passes: the first one measures, the second one
 * writes the labels with dots between them. */
#include <ctype.h>

#include "../../../systems/sockets.h"

enum { HEADER_BYTES = 12, MESSAGE_MAX = 64, NAME_LENGTH_MAX = 8, JUMPS_MAX = 2 };
enum { TYPE_A = 1, TYPE_CNAME = 5 };

struct name {
  size_t length;
  char *text;
};

static unsigned two_bytes(const unsigned char *at) { return at[0] << 8 | at[1]; }

/* Measures a name. Returns the place behind it in the message, or NULL if it is none. */
static const unsigned char *measure_name(const unsigned char *message, const unsigned char *end,
                                         const unsigned char *at, size_t *length) {
  const unsigned char *behind = NULL;
  int jumps = 0;
  *length = 0;
  while (at < end && *at != 0) {
    if (*at & 0xc0) {
      if (++jumps > JUMPS_MAX || at + 1 >= end) return NULL;
      if (behind == NULL) behind = at + 2;
      at = message + (two_bytes(at) & 0x3fff);
    } else {
      *length += *at + 1;
      at += *at + 1;
    }
  }
  if (at >= end) return NULL;
  if (*length > 0) *length -= 1; /* no dot behind the last label */
  if (*length > NAME_LENGTH_MAX) return NULL;
  return behind != NULL ? behind : at + 1;
}

/* Copies a name that was measured. */
static void copy_name(const unsigned char *message, const unsigned char *at, size_t length, struct name *name) {
  if (length == 0) {
    *name = (struct name){0};
    return;
  }
  char *to = name->text = malloc(length);
  assert(name->text != NULL);
  while (*at != 0) {
    if (*at & 0xc0) {
      at = message + (two_bytes(at) & 0x3fff);
      continue;
    }
#ifdef REPAIRED
    if (to != name->text) *to++ = '.';
#endif
    for (int left = *at++; left > 0; left--) *to++ = tolower(*at++);
#ifndef REPAIRED
    if (*at != 0) *to++ = '.';
#endif
  }
  name->length = to - name->text;
}

/* Looks for an address or another name in an answer. Returns 0 if it has neither. */
static int process_answer(const unsigned char *message, size_t size) {
  const unsigned char *end = message + size, *at = message + HEADER_BYTES;
  size_t length;
  if (size < HEADER_BYTES || !(message[2] & 0x80) || (message[3] & 0xf) != 0) return 0;
  if (two_bytes(message + 4) != 1 || (at = measure_name(message, end, at, &length)) == NULL) return 0;
  at += 4; /* the type and class of the question */
  for (unsigned left = two_bytes(message + 6); left > 0; left--) {
    at = measure_name(message, end, at, &length);
    if (at == NULL || end - at < 10) return 0;
    unsigned type = two_bytes(at), data = two_bytes(at + 8);
    at += 10;
    if ((size_t)(end - at) < data) return 0;
    if (type == TYPE_A && data == 4) {
      printf("%u.%u.%u.%u\n", at[0], at[1], at[2], at[3]);
      return 1;
    }
    if (type == TYPE_CNAME && measure_name(message, end, at, &length) != NULL) {
      struct name name;
      copy_name(message, at, length, &name);
      printf("is also called %.*s\n", (int)name.length, name.text);
      free(name.text);
      return 1;
    }
    at += data;
  }
  return 0;
}

int main(void) {
  static const unsigned char question[] = {0, 7, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 'w', 0, 0, TYPE_A, 0, 1};
  int fd = connected(SOCK_DGRAM, "dns", 5353);
  unsigned char answer[MESSAGE_MAX];
  assert(send(fd, question, sizeof question, 0) == sizeof question);
  ssize_t size = recv(fd, answer, sizeof answer, 0);
  assert(size >= 0);
  unsigned char *message = malloc(size);
  assert(message != NULL);
  memcpy(message, answer, size);
  int is_understood = size > 1 && two_bytes(message) == 7 && process_answer(message, size);
  free(message);
  close(fd);
  return !is_understood;
}
