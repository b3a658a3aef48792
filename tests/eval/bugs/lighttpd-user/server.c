/* A web server that begins as root, so that it can have port 80 and its log, and then becomes the user that its
 * configuration names. */
#include <everett.h>
#include <fcntl.h>
#include <grp.h>

#include "../../../systems/sockets.h"

enum { REQUEST_BYTES = 4 };

struct configuration {
  int port;
  uid_t user;
  gid_t group;
};

static struct configuration read_configuration(const char *path) {
  struct configuration configuration = {.port = 8080};
  char key[16];
  unsigned value;
  FILE *file = fopen(path, "r");
  assert(file != NULL);
  while (fscanf(file, "%15s %u", key, &value) == 2) {
    if (strcmp(key, "port") == 0) configuration.port = (int)value;
    if (strcmp(key, "user") == 0) configuration.user = value;
    if (strcmp(key, "group") == 0) configuration.group = value;
  }
  fclose(file);
  return configuration;
}

/* Becomes the user who may do no harm. Returns 0 if the server is that user now. */
static int drop_privileges(const struct configuration *configuration) {
  if (getuid() != 0) return 0;
#ifdef REPAIRED
  if (setgroups(0, NULL) != 0 || setgid(configuration->group) != 0) return -1;
  if (setuid(configuration->user) != 0) return -1;
#else
  setgroups(0, NULL);
  setgid(configuration->group);
  setuid(configuration->user);
#endif
  return 0;
}

static void serve(int fd, int log) {
  char request[REQUEST_BYTES];
  if (read_all(fd, request, sizeof request) != sizeof request) return;
  /* Whatever a request makes the server do, it must not be able to do everything. */
  assert(geteuid() != 0);
  const char *answer = memcmp(request, "GET ", 4) == 0 ? "200" : "400";
  dprintf(log, "%s\n", answer);
  send(fd, answer, 3, MSG_NOSIGNAL);
}

int main(void) {
  struct configuration configuration = read_configuration("/etc/server.conf");
  int log = open("/var/access.log", O_CREAT | O_WRONLY | O_APPEND, 0600);
  int listener = listening(configuration.port);
  if (drop_privileges(&configuration) != 0) {
    perror("cannot change to the user of the configuration");
    return 1;
  }
  for (;;) {
    int fd = accept(listener, NULL, NULL);
    if (fd < 0) continue;
    serve(fd, log);
    close(fd);
  }
}
