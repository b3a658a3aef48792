/* Sends one request, and prints the answer until the server ends it or is silent for a while. */
#include "text.h"

#include <netdb.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

enum { SILENCE_MS = 3000 };

static int connect_to(const char *host, const char *port, int type) {
  struct addrinfo hints = {.ai_family = AF_INET, .ai_socktype = type}, *found;
  if (getaddrinfo(host, port, &hints, &found) != 0)
    return -1;
  int fd = socket(found->ai_family, found->ai_socktype, 0);
  if (fd >= 0 && connect(fd, found->ai_addr, found->ai_addrlen) != 0) {
    close(fd);
    fd = -1;
  }
  freeaddrinfo(found);
  return fd;
}

/* Prints bytes such that every byte can be told from the output. */
static void print_escaped(const unsigned char *bytes, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (bytes[i] == '\n' || (bytes[i] >= ' ' && bytes[i] < 127))
      putchar(bytes[i]);
    else
      printf("\\x%02x", bytes[i]);
  }
}

/* All bytes of an answer; what they are matters only if they are printed. */
static void receive(int fd, int is_stream, int prints) {
  struct pollfd wait = {.fd = fd, .events = POLLIN};
  unsigned char answer[4096];
  while (poll(&wait, 1, SILENCE_MS) == 1) {
    ssize_t got = read(fd, answer, sizeof answer);
    if (got <= 0)
      break;
    if (prints)
      print_escaped(answer, (size_t)got);
    if (!is_stream)
      break;
  }
}

int main(int argc, char **argv) {
  if (argc != 6) {
    fprintf(stderr, "usage: client tcp|udp print|drop HOST PORT REQUEST\n");
    return 2;
  }
  int is_stream = strcmp(argv[1], "tcp") == 0;
  int fd = connect_to(argv[3], argv[4], is_stream ? SOCK_STREAM : SOCK_DGRAM);
  if (fd < 0)
    return 1;
  static struct text request;
  decode(argv[5], &request, "request");
  if (send(fd, request.bytes, request.length, MSG_NOSIGNAL) != (ssize_t)request.length)
    return 1;
  if (is_stream)
    shutdown(fd, SHUT_WR);
  receive(fd, is_stream, strcmp(argv[2], "print") == 0);
  return 0;
}
