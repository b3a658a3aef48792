// Shared by the programs about /proc/net: the lines of its files.
#ifndef PROC_NET_H
#define PROC_NET_H

#include "../socket/net.h"

// The first line of a file, without the blanks at its end.
HELPER void heading(const char *path) {
  char line[512] = "";
  FILE *file = fopen(path, "r");
  need(file && fgets(line, sizeof line, file), path);
  fclose(file);
  size_t length = strlen(line);
  while (length > 0 && (line[length - 1] == ' ' || line[length - 1] == '\n'))
    line[--length] = 0;
  printf("%s: [%s]\n", path, line);
}

// The line of a file in which a word stands between blanks.
HELPER int line_with(const char *path, const char *word, char *line, size_t size) {
  FILE *file = fopen(path, "r");
  need(file != NULL, path);
  int is_found = 0;
  while (!is_found && fgets(line, (int)size, file)) {
    char copy[512];
    snprintf(copy, sizeof copy, "%s", line);
    for (char *each = strtok(copy, " \n"); each && !is_found; each = strtok(NULL, " \n"))
      is_found = strcmp(each, word) == 0;
  }
  fclose(file);
  return is_found;
}

// The line of a socket, found by the number that it has as a file.
HELPER int line_of(const char *path, int fd, char *line, size_t size) {
  struct stat s;
  char inode[32];
  need(fstat(fd, &s) == 0, "fstat");
  snprintf(inode, sizeof inode, "%lu", (unsigned long)s.st_ino);
  return line_with(path, inode, line, size);
}

// Prints what the line of a socket says, with `own` and `peer` for the ports that the program knows.
HELPER void show_socket(const char *what, const char *path, int fd, int own, int peer) {
  char line[512], local[64], remote[64];
  unsigned local_port, remote_port, state, uid;
  unsigned long sent, received;
  if (!line_of(path, fd, line, sizeof line)) {
    printf("%s: no line\n", what);
    return;
  }
  int count = sscanf(line, "%*d: %63[^:]:%X %63[^:]:%X %X %lX:%lX %*X:%*X %*X %u", local, &local_port, remote,
                     &remote_port, &state, &sent, &received, &uid);
  need(count == 8, "eight fields");
  printf("%s: %s%s %s%s state %02X, sent %s, received %s, %s\n", what, local, (int)local_port == own ? ":own" : ":?",
         remote, (int)remote_port == peer ? ":peer" : ":?", state, sent ? "some" : "none",
         received ? "some" : "none", uid == geteuid() ? "mine" : "not mine");
}

#endif
