/* A server that follows a leader and keeps a copy of its data. On the disk it has a snapshot of the data with the
 * number of the last change, whose upper half is the epoch of the leader who made it, and the epoch that it is in
 * itself. The epoch is never less than that of the last change: the server refuses to start otherwise. */
#include <fcntl.h>

#include "../../../systems/sockets.h"

enum { EPOCH_BITS = 8 };

struct snapshot {
  unsigned last_change, data;
};

/* Writes a file anew: either the old contents or the new ones are there after a crash. */
static void write_file(const char *name, const void *contents, size_t size) {
  char other[32];
  snprintf(other, sizeof other, "%s.new", name);
  int fd = open(other, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  assert(fd >= 0);
  write_all(fd, contents, size);
  assert(fsync(fd) == 0);
  close(fd);
  assert(rename(other, name) == 0);
  int folder = open(".", O_RDONLY | O_DIRECTORY);
  assert(folder >= 0 && fsync(folder) == 0);
  close(folder);
}

/* Returns whether the file is there. */
static int read_file(const char *name, void *contents, size_t size) {
  int fd = open(name, O_RDONLY);
  if (fd < 0) return 0;
  assert(read_all(fd, contents, size) == size);
  close(fd);
  return 1;
}

#ifdef REPAIRED
static void remove_file(const char *name) {
  assert(unlink(name) == 0);
  int folder = open(".", O_RDONLY | O_DIRECTORY);
  assert(folder >= 0 && fsync(folder) == 0);
  close(folder);
}
#endif

/* Reads what is on the disk. Returns the epoch. */
static unsigned load(struct snapshot *snapshot) {
  unsigned epoch = 0;
  if (!read_file("snapshot", snapshot, sizeof *snapshot)) *snapshot = (struct snapshot){0, 0};
  read_file("epoch", &epoch, sizeof epoch);
#ifdef REPAIRED
  char mark;
  if (read_file("updating", &mark, 1)) {
    epoch = snapshot->last_change >> EPOCH_BITS;
    write_file("epoch", &epoch, sizeof epoch);
    remove_file("updating");
  }
#endif
  assert(snapshot->last_change >> EPOCH_BITS <= epoch && "the epoch is older than the last change");
  return epoch;
}

/* Follows a leader as long as the connection lasts. */
static void follow(int fd, struct snapshot *snapshot, unsigned *epoch) {
  struct snapshot news;
  while (read_all(fd, &news, sizeof news) == sizeof news) {
    unsigned new_epoch = news.last_change >> EPOCH_BITS;
    if (new_epoch < *epoch) return;
    if (new_epoch == *epoch && news.last_change <= snapshot->last_change) {
      if (write(fd, "k", 1) != 1) return;
      continue;
    }
#ifdef REPAIRED
    if (new_epoch > *epoch) write_file("updating", "u", 1);
#endif
    *snapshot = news;
    write_file("snapshot", snapshot, sizeof *snapshot);
    if (new_epoch > *epoch) {
      *epoch = new_epoch;
      write_file("epoch", epoch, sizeof *epoch);
#ifdef REPAIRED
      remove_file("updating");
#endif
    }
    if (write(fd, "k", 1) != 1) return;
  }
}

int main(void) {
  struct snapshot snapshot;
  unsigned epoch = load(&snapshot);
  int listener = listening(2888);
  for (;;) {
    int fd = accept(listener, NULL, NULL);
    assert(fd >= 0);
    follow(fd, &snapshot, &epoch);
    close(fd);
  }
}
