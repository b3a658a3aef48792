/* A file server. Each datagram is a command, a name of one letter, and data; the answer is "+" and data, or "-". The
   commands of the first version (put, get, erase, size) handle every error. Those that came later, for the
   administrator (snapshot, log, report, migrate), were written in a hurry. */
#include <assert.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST = 64 };

/* ---- the first version ---- */

static int name_of(char *path, char letter, const char *end) {
  if (letter < 'a' || letter > 'z') return -1;
  return snprintf(path, 16, "data/%c%s", letter, end) < 16 ? 0 : -1;
}

static int write_all(int fd, const char *data, size_t size) {
  while (size > 0) {
    ssize_t done = write(fd, data, size);
    if (done <= 0) return -1;
    data += done, size -= done;
  }
  return 0;
}

static ssize_t read_all(int fd, char *data, size_t most) {
  size_t size = 0;
  while (size < most) {
    ssize_t more = read(fd, data + size, most - size);
    if (more < 0) return -1;
    if (more == 0) break;
    size += more;
  }
  return size;
}

/* Writes a new file and puts it in the place of the old one. */
static int put(char letter, const char *data, size_t size) {
  char path[16], scratch[16];
  if (name_of(path, letter, "") || name_of(scratch, letter, ".new")) return -1;
  int fd = open(scratch, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (fd < 0) return -1;
  int failed = write_all(fd, data, size) || fsync(fd);
  if (close(fd) || failed || rename(scratch, path)) {
    unlink(scratch);
    return -1;
  }
  return 0;
}

static ssize_t get(char letter, char *answer) {
  char path[16];
  if (name_of(path, letter, "")) return -1;
  int fd = open(path, O_RDONLY);
  if (fd < 0) return -1;
  char *data = malloc(MOST);
  ssize_t size = data ? read_all(fd, data, MOST) : -1;
  if (size > 0) memcpy(answer, data, size);
  free(data);
  return close(fd) ? -1 : size;
}

static int erase(char letter) {
  char path[16];
  return name_of(path, letter, "") ? -1 : unlink(path);
}

static ssize_t size_of(char letter) {
  char path[16];
  struct stat facts;
  if (name_of(path, letter, "") || stat(path, &facts)) return -1;
  return facts.st_size;
}

/* ---- what came later ---- */

/* Copies a file, with its size in front. */
static int snapshot(char letter) {
  char path[16], copy[16];
  name_of(path, letter, "");
  name_of(copy, letter, ".old");
  int from = open(path, O_RDONLY);
  assert(from >= 0);
  struct stat facts;
  assert(fstat(from, &facts) == 0);
  char *data = malloc(facts.st_size + 4);
  memset(data, 0, 4);
  data[0] = (char)facts.st_size;
  assert(read(from, data + 4, facts.st_size) == facts.st_size);
  int to = open(copy, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  assert(to >= 0);
  assert(write(to, data, facts.st_size + 4) == facts.st_size + 4);
  assert(fsync(to) == 0);
  free(data);
  assert(close(to) == 0);
  assert(close(from) == 0);
  return 0;
}

struct entry {
  char *text;
  struct entry *next;
};

/* Adds a line to the log, and reads all of it back. */
static int add_log(const char *text, size_t size) {
  int fd = open("data/log", O_RDWR | O_CREAT | O_APPEND, 0600);
  if (fd < 0) abort();
  struct entry *entry = malloc(sizeof *entry);
  entry->next = NULL;
  entry->text = malloc(size + 1);
  memcpy(entry->text, text, size);
  entry->text[size] = '\n';
  if (write(fd, entry->text, size + 1) != (ssize_t)size + 1) abort();
  off_t end = lseek(fd, 0, SEEK_END);
  assert(end > 0);
  assert(lseek(fd, 0, SEEK_SET) == 0);
  char *all = malloc(end);
  all[end - 1] = 0;
  assert(read(fd, all, end) == end);
  assert(all[end - 1] == '\n');
  free(all);
  free(entry->text);
  free(entry);
  if (close(fd)) abort();
  return 0;
}

/* Counts files and bytes. */
static int report(void) {
  int *sizes = calloc(26, sizeof *sizes);
  sizes[0] = 1;
  for (char letter = 'a'; letter <= 'c'; letter++) {
    char path[16];
    struct stat facts;
    name_of(path, letter, "");
    assert(stat(path, &facts) == 0);
    sizes[letter - 'a'] = (int)facts.st_size;
  }
  char *text = malloc(MOST);
  text[0] = 0;
  for (int i = 0; i < 3; i++) sprintf(text + strlen(text), "%d ", sizes[i]);
  int fd = open("data/report", O_WRONLY | O_CREAT | O_TRUNC, 0600);
  assert(fd >= 0);
  assert(write(fd, text, strlen(text)) == (ssize_t)strlen(text));
  assert(close(fd) == 0);
  free(text);
  free(sizes);
  return 0;
}

/* Moves everything to another folder and back. */
static int migrate(void) {
  assert(mkdir("other", 0700) == 0);
  assert(rename("data/a", "other/a") == 0);
  assert(link("other/a", "other/b") == 0);
  assert(unlink("other/b") == 0);
  assert(chmod("other/a", 0400) == 0);
  assert(rename("other/a", "data/a") == 0);
  assert(rmdir("other") == 0);
  char *where = malloc(MOST);
  where[0] = 0;
  assert(getcwd(where, MOST) != NULL);
  free(where);
  return 0;
}

/* ---- */

static ssize_t serve(const char *request, ssize_t size, char *answer) {
  if (size < 2) return -1;
  switch (request[0]) {
    case 'p': return put(request[1], request + 2, size - 2);
    case 'g': return get(request[1], answer);
    case 'e': return erase(request[1]);
    case 's': return size_of(request[1]) < 0 ? -1 : 0;
    case 'S': return snapshot(request[1]);
    case 'L': return add_log(request + 2, size - 2);
    case 'R': return report();
    case 'M': return migrate();
    default: return -1;
  }
}

int main(void) {
  struct sockaddr_in self = {.sin_family = AF_INET, .sin_port = htons(7000)};
  int fd = socket(AF_INET, SOCK_DGRAM, 0);
  if (fd < 0 || bind(fd, (struct sockaddr *)&self, sizeof self) || mkdir("data", 0700)) return 1;
  for (;;) {
    char request[MOST + 2], answer[MOST + 1];
    struct sockaddr_in peer;
    socklen_t length = sizeof peer;
    ssize_t size = recvfrom(fd, request, sizeof request, 0, (struct sockaddr *)&peer, &length);
    if (size < 0) continue;
    size = serve(request, size, answer + 1);
    answer[0] = size < 0 ? '-' : '+';
    sendto(fd, answer, size < 0 ? 1 : size + 1, 0, (struct sockaddr *)&peer, length);
  }
}
