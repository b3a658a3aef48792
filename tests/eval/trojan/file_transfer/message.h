/* A protocol for files over datagrams, after the published description of FSP. Numbers have their higher byte first. */
#ifndef MESSAGE_H
#define MESSAGE_H

#include <stdint.h>
#include <string.h>

enum { PORT = 2121, CHARACTERS_MAX = 4, KEY = 0x2c5e };

/* The commands whose data is one path, and the one that begins a session, which has no data. */
enum command {
  HELLO = 0x10,
  LIST = 0x41,
  READ = 0x42,
  DELETE_FILE = 0x45,
  DELETE_FOLDER = 0x46,
  GET_RIGHTS = 0x47,
  MAKE_FOLDER = 0x49,
  TAKE = 0x4b,
  DESCRIBE = 0x4d,
};

struct message {
  uint8_t command, sum, key[2], sequence[2], length[2], position[4];
  /* A path, and a zero behind it. */
  char data[CHARACTERS_MAX + 1];
};

enum { HEADER_BYTES = 12 };

static inline uint16_t get16(const uint8_t bytes[2]) { return (uint16_t)(bytes[0] << 8 | bytes[1]); }

static inline void put16(uint8_t bytes[2], uint16_t value) {
  bytes[0] = value >> 8;
  bytes[1] = value & 0xff;
}

/* The checksum of a request: of all of its bytes but the checksum itself, and of their number. */
static inline uint8_t checksum(const struct message *message, size_t size) {
  const uint8_t *bytes = (const uint8_t *)message;
  unsigned sum = size;
  for (size_t i = 0; i < size; i++)
    if (bytes + i != &message->sum) sum += bytes[i];
  return (uint8_t)(sum + (sum >> 8));
}

static inline int is_printable(char character) { return character >= 33 && character <= 126; }

#endif
