// Binding makes a file of its own kind, which stays when the socket is closed.
#include "local.h"

int main(void) {
  umask(022);
  int fd = socket(AF_UNIX, SOCK_STREAM, 0);
  Local a;
  socklen_t len = sizeof a;
  SHOW(getsockname(fd, ADDRESS(a), &len));
  show_name("unbound", &a, len);
  SHOW(bind_to(fd, "name"));
  struct stat s;
  SHOW(stat("name", &s));
  IS(S_ISSOCK(s.st_mode));
  NUM(s.st_mode & 0777);
  len = sizeof a;
  SHOW(getsockname(fd, ADDRESS(a), &len));
  show_name("bound", &a, len);
  SHOW(bind_to(fd, "other"));
  SHOW(bind_to(socket(AF_UNIX, SOCK_STREAM, 0), "name"));
  SHOW(bind_to(socket(AF_UNIX, SOCK_STREAM, 0), "missing/name"));
  OK(open("name", O_RDWR));
  int other = socket(AF_UNIX, SOCK_STREAM, 0);
  SHOW(connect_to(other, "name"));
  SHOW(listen(fd, 1));
  SHOW(connect_to(other, "name"));
  SHOW(connect_to(other, "name"));
  // The file without the socket, and the socket without the file.
  SHOW(rename("name", "renamed"));
  SHOW(connect_to(socket(AF_UNIX, SOCK_STREAM, 0), "renamed"));
  close(fd);
  SHOW(stat("renamed", &s));
  SHOW(connect_to(socket(AF_UNIX, SOCK_STREAM, 0), "renamed"));
  SHOW(unlink("renamed"));
  SHOW(connect_to(socket(AF_UNIX, SOCK_STREAM, 0), "renamed"));
  put("file", "x");
  SHOW(connect_to(socket(AF_UNIX, SOCK_STREAM, 0), "file"));
  SHOW(symlink("real", "link"));
  int third = server(SOCK_STREAM, "real");
  SHOW(connect_to(socket(AF_UNIX, SOCK_STREAM, 0), "link"));
  close(third);
  return 0;
}
