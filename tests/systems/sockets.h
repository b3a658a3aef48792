/* What the programs of the systems have in common: sockets by host name, and whole messages. */
#ifndef SOCKETS_H
#define SOCKETS_H

#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* The address of a host, which has to exist. */
static inline struct sockaddr_in address_of(const char *host, int port) {
  struct addrinfo hints = {.ai_family = AF_INET, .ai_socktype = SOCK_STREAM}, *found = NULL;
  assert(getaddrinfo(host, NULL, &hints, &found) == 0);
  struct sockaddr_in address = *(struct sockaddr_in *)found->ai_addr;
  freeaddrinfo(found);
  address.sin_port = htons(port);
  return address;
}

/* A socket that is bound to a port of all of the host's addresses. */
static inline int bound(int type, int port) {
  int fd = socket(AF_INET, type, 0);
  struct sockaddr_in self = {.sin_family = AF_INET, .sin_port = htons(port)};
  assert(fd >= 0);
  assert(bind(fd, (struct sockaddr *)&self, sizeof self) == 0);
  return fd;
}

static inline int listening(int port) {
  int fd = bound(SOCK_STREAM, port);
  assert(listen(fd, 16) == 0);
  return fd;
}

/* A socket that is connected to a host that listens. */
static inline int connected(int type, const char *host, int port) {
  struct sockaddr_in peer = address_of(host, port);
  int fd = socket(AF_INET, type, 0);
  assert(fd >= 0);
  assert(connect(fd, (struct sockaddr *)&peer, sizeof peer) == 0);
  return fd;
}

/* Reads until the buffer is full or the other side is done; returns how much was read. */
static inline size_t read_all(int fd, void *buffer, size_t size) {
  size_t done = 0;
  while (done < size) {
    ssize_t more = read(fd, (char *)buffer + done, size - done);
    assert(more >= 0);
    if (more == 0) break;
    done += more;
  }
  return done;
}

static inline void write_all(int fd, const void *buffer, size_t size) {
  size_t done = 0;
  while (done < size) {
    ssize_t more = write(fd, (const char *)buffer + done, size - done);
    assert(more > 0);
    done += more;
  }
}

#endif
