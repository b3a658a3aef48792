/* Gets a page that is there, one that is not, and one that must not be given. */
#include "../sockets.h"

static char text[512];

static const char *get(const char *path) {
  int fd = connected(SOCK_STREAM, "web", 80);
  int size = snprintf(text, sizeof text, "GET %s HTTP/1.0\r\nHost: web\r\n\r\n", path);
  write_all(fd, text, size);
  text[read_all(fd, text, sizeof text - 1)] = 0;
  close(fd);
  return text;
}

int main(void) {
  assert(strcmp(get("/hello.txt"), "HTTP/1.0 200 OK\r\nContent-Length: 6\r\n\r\nhello\n") == 0);
  assert(strstr(get("/page.html"), "\r\n\r\n<h1>page</h1>") != NULL);
  assert(strncmp(get("/other.txt"), "HTTP/1.0 404 ", 13) == 0);
  assert(strncmp(get("/../etc/passwd"), "HTTP/1.0 400 ", 13) == 0);
  return 0;
}
