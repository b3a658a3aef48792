/* What the programs that ping have in common: echo requests, as a user's program makes them. */
#ifndef PING_H
#define PING_H

#include "../sockets.h"
#include <netinet/ip.h>
#include <netinet/ip_icmp.h>
#include <poll.h>

enum { NUMBER = 0x1234 };

/* The checksum of a message, which is its own inverse: 0 for a message that holds one. */
static inline unsigned short checksum(const void *message, size_t size) {
  const unsigned char *bytes = message;
  unsigned long sum = 0;
  for (size_t i = 0; i < size; i++)
    sum += i % 2 ? bytes[i] : bytes[i] << 8;
  while (sum >> 16)
    sum = (sum & 0xffff) + (sum >> 16);
  return htons(~sum & 0xffff);
}

/* Sends a request with so many bytes behind its header. */
static inline void request(int fd, struct sockaddr_in to, int sequence, size_t size) {
  unsigned char message[1500] = {0};
  struct icmphdr header = {.type = ICMP_ECHO};
  header.un.echo.id = htons(NUMBER);
  header.un.echo.sequence = htons(sequence);
  for (size_t i = 0; i < size; i++)
    message[sizeof header + i] = 'a' + i % 26;
  memcpy(message, &header, sizeof header);
  header.checksum = checksum(message, sizeof header + size);
  memcpy(message, &header, sizeof header);
  ssize_t sent = sendto(fd, message, sizeof header + size, 0, (struct sockaddr *)&to, sizeof to);
  assert(sent == (ssize_t)(sizeof header + size));
}

/* Waits for a message, not longer than some milliseconds; returns its length, 0 if there is none. */
static inline size_t answer(int fd, unsigned char *bytes, size_t size, struct sockaddr_in *from, int wait) {
  struct pollfd one = {fd, POLLIN, 0};
  if (poll(&one, 1, wait) == 0)
    return 0;
  socklen_t length = sizeof *from;
  ssize_t count = recvfrom(fd, bytes, size, 0, (struct sockaddr *)from, &length);
  assert(count > 0);
  return count;
}

#endif
