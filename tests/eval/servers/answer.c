/* A server that reads a request up to an empty line, and gives every client the same answer. */
#include "text.h"

#include <netinet/in.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

static int listen_at(const char *port) {
  struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons((unsigned short)atoi(port))};
  int fd = socket(AF_INET, SOCK_STREAM, 0), on = 1;
  if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) != 0 ||
      bind(fd, (struct sockaddr *)&at, sizeof at) != 0 || listen(fd, 5) != 0)
    exit(1);
  return fd;
}

static void read_request(int fd) {
  char bytes[2048];
  size_t length = 0;
  while (length + 1 < sizeof bytes) {
    ssize_t got = read(fd, bytes + length, sizeof bytes - 1 - length);
    if (got <= 0)
      return;
    length += (size_t)got;
    bytes[length] = 0;
    if (strstr(bytes, "\r\n\r\n"))
      return;
  }
}

int main(int argc, char **argv) {
  if (argc != 3)
    return 2;
  int listening = listen_at(argv[1]);
  static struct text answer;
  decode(argv[2], &answer, "answer");
  for (;;) {
    int fd = accept(listening, NULL, NULL);
    if (fd < 0)
      continue;
    read_request(fd);
    send(fd, answer.bytes, answer.length, MSG_NOSIGNAL);
    close(fd);
  }
}
