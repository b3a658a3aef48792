/* Replaces a file by a new version of it, and has one or the other whenever it begins. With the argument "sync", the
   new one is on the disk before its name is. */
#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv) {
  char text[4] = {0};
  int file = open("config", O_RDONLY);
  assert(file >= 0 && read(file, text, 3) == 3); // mark: version
  if (text[0] == 'n') return 0;
  int next = open("config.new", O_WRONLY | O_CREAT | O_TRUNC, 0600);
  assert(next >= 0 && write(next, "new", 3) == 3);
  if (argc > 1) assert(fsync(next) == 0);
  assert(rename("config.new", "config") == 0);
  int folder = open(".", O_RDONLY | O_DIRECTORY);
  if (argc > 1) assert(folder >= 0 && fsync(folder) == 0);
  return 0;
}
