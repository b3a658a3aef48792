/* Serves the files of /srv by a small part of HTTP. */
#include <fcntl.h>
#include <sys/stat.h>

#include "../sockets.h"

static void serve(FILE *stream) {
  char line[128], path[64], name[80];
  if (!fgets(line, sizeof line, stream)) return;
  int valid = sscanf(line, "GET %63s HTTP/1.0", path) == 1 && strstr(path, "..") == NULL;
  while (fgets(line, sizeof line, stream) && strcmp(line, "\r\n") != 0) continue;
  fflush(stream);
  if (!valid) {
    fprintf(stream, "HTTP/1.0 400 Bad Request\r\n\r\n");
    return;
  }
  snprintf(name, sizeof name, "/srv%s", path);
  FILE *file = fopen(name, "r");
  if (file == NULL) {
    fprintf(stream, "HTTP/1.0 404 Not Found\r\n\r\n");
    return;
  }
  struct stat status;
  assert(fstat(fileno(file), &status) == 0);
  fprintf(stream, "HTTP/1.0 200 OK\r\nContent-Length: %ld\r\n\r\n", (long)status.st_size);
  int c;
  while ((c = getc(file)) != EOF) putc(c, stream);
  fclose(file);
}

int main(void) {
  int listener = listening(80);
  for (;;) {
    int fd = accept(listener, NULL, NULL);
    assert(fd >= 0);
    FILE *stream = fdopen(fd, "r+");
    serve(stream);
    fclose(stream);
  }
}
