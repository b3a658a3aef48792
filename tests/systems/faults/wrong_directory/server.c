/* Serves the files of its folder. For each request it writes a line to the log in another folder, and goes
 * there and back for that. With -c it looks whether it came back. */
#include <fcntl.h>

#include "../../sockets.h"

static const char *home;
static int careful;

static void note(const char *line) {
  if (chdir("/tmp") < 0) return;
  int log = open("log", O_WRONLY | O_CREAT | O_APPEND, 0600);
  if (log >= 0) {
    (void)!write(log, line, strlen(line));
    close(log);
  }
  while (chdir(home) < 0 && careful) continue;
}

int main(int argc, char **argv) {
  char folder[64];
  careful = argc > 1;
  home = getcwd(folder, sizeof folder);
  int fd = bound(SOCK_DGRAM, 7000);
  for (;;) {
    struct sockaddr_in peer;
    socklen_t length = sizeof peer;
    char name[16] = "", text[16];
    assert(recvfrom(fd, name, sizeof name - 1, 0, (struct sockaddr *)&peer, &length) > 0);
    int file = open(name, O_RDONLY);
    ssize_t size = file < 0 ? 0 : read(file, text, sizeof text);
    close(file);
    note("served\n");
    sendto(fd, text, size, 0, (struct sockaddr *)&peer, length);
  }
}
