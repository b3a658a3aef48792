/* Takes forms over HTTP. It may be busy, and it may send a client to another place first. */
#include <klee/klee.h>
#include <strings.h>
#include <sys/un.h>

#include "../../sockets.h"

#ifndef TYPE_BYTES
#define TYPE_BYTES 64
#endif

/* It listens at a UNIX socket. */
#ifndef LOCAL
#define LOCAL 0
#endif

#ifndef FORGETFUL
#define FORGETFUL 0
#endif

struct form {
  char path[32], text[64], type[TYPE_BYTES];
};

static char head[1024];

/* Receives a request up to the empty line behind its headers; returns 0 if the client is done. */
static int receive_head(int fd) {
  size_t length = 0;
  do {
    assert(length < sizeof head - 1);
    if (read(fd, head + length, 1) != 1) return 0;
    head[++length] = 0;
  } while (length < 4 || strcmp(head + length - 4, "\r\n\r\n") != 0);
  return 1;
}

/* Copies the value of a header, which is empty if it is not there. */
static void copy_header(const char *name, char *value) {
  const char *line = head;
  *value = 0;
  while ((line = strstr(line, "\r\n")) != NULL) {
    line += 2;
    if (strncasecmp(line, name, strlen(name)) != 0) continue;
    line += strlen(name);
    while (*line != '\r') *value++ = *line++;
    *value = 0; // mark: overflow
    return;
  }
}

static void answer(int fd, const char *status, const char *more) {
  char text[256];
  int length = sprintf(text, "HTTP/1.1 %s\r\nContent-Length: 0\r\n%s\r\n", status, more);
  write_all(fd, text, length);
}

static void serve(int fd, struct form *form) {
  char length[16];
  form->path[0] = 0; // mark: freed
  sscanf(head, "POST %31s", form->path);
  copy_header("Content-Type: ", form->type);
  copy_header("Content-Length: ", length);
  size_t size = atoi(length);
  assert(size < sizeof form->text);
  assert(read_all(fd, form->text, size) == size);
  form->text[size] = 0;
  assert(strcmp(form->text, "name=ann") == 0);

  unsigned char mood = 0;
  if (strcmp(form->path, "/") == 0) {
    klee_make_symbolic(&mood, sizeof mood, "mood");
    klee_assume(mood < 3);
  }
  if (mood == 0)
    answer(fd, "200 OK", "");
  else if (mood == 1)
    answer(fd, "503 Service Unavailable", "");
  else
    answer(fd, "307 Temporary Redirect", "Location: /elsewhere\r\n");
}

static const char path[] = "/tmp/forms.sock";

static int listening_locally(void) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  strcpy(address.sun_path, path);
  int fd = socket(AF_UNIX, SOCK_STREAM, 0);
  assert(bind(fd, (struct sockaddr *)&address, sizeof address) == 0);
  assert(listen(fd, 4) == 0);
  return fd;
}

/* Whoever has connected has no name, and the other end has that of the one that listens. */
static void check_names(int fd, const struct sockaddr_un *client, socklen_t size) {
  struct sockaddr_un own;
  assert(size == sizeof client->sun_family && client->sun_family == AF_UNIX);
  size = sizeof own;
  assert(getsockname(fd, (struct sockaddr *)&own, &size) == 0);
  assert(own.sun_family == AF_UNIX && strcmp(own.sun_path, path) == 0);
  size = sizeof own;
  assert(getpeername(fd, (struct sockaddr *)&own, &size) == 0);
  assert(size == sizeof own.sun_family);
}

int main(void) {
  int listener = LOCAL ? listening_locally() : listening(8080);
  for (;;) {
    struct sockaddr_un client;
    socklen_t size = sizeof client;
    int fd = accept(listener, (struct sockaddr *)&client, &size);
    assert(fd >= 0);
    if (LOCAL) check_names(fd, &client, size);
    struct form *form = calloc(1, sizeof *form);
    while (receive_head(fd)) {
      serve(fd, form);
      if (FORGETFUL) free(form);
    }
    if (!FORGETFUL) free(form);
    close(fd);
  }
}
