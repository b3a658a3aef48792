/* A packet of two symbolic bytes and a checksum: CRC-32, by a table that is computed at the start. */
#include <stdint.h>
#include <stdio.h>

#include "klee/klee.h"

static uint32_t table[256];

static void fill_table(void) {
  for (uint32_t i = 0; i < 256; i++) {
    uint32_t crc = i;
    for (int bit = 0; bit < 8; bit++)
      crc = crc & 1 ? crc >> 1 ^ 0xedb88320 : crc >> 1;
    table[i] = crc;
  }
}

static uint32_t crc32(const unsigned char *bytes, int size) {
  uint32_t crc = 0xffffffff;
  for (int i = 0; i < size; i++)
    crc = table[(crc ^ bytes[i]) & 0xff] ^ crc >> 8;
  return ~crc;
}

int main(void) {
  fill_table();
  unsigned char packet[6] = {'p', 'i', 'n', 'g'};
  klee_make_symbolic(packet + 4, 2, "packet");
  uint32_t crc = crc32(packet, 6);
  if (crc == 0x5cef65f8)
    printf("the packet that was sent\n");
  else if (crc % 1009 == 77 && crc / 1009 % 11 == 3)
    printf("a packet of the same class\n");
  else if ((uint64_t)crc * 0x9e3779b97f4a7c15 >> 52 == 0xabc)
    printf("a packet of the same slot\n");
  else
    printf("another packet\n");
  return 0;
}
