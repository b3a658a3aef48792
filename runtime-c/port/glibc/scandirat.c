/* The entries of a directory that lies below another one. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int (*order)(const struct dirent **, const struct dirent **);
static int compare(const void *a, const void *b) {
  return order((const struct dirent **)a, (const struct dirent **)b);
}

int scandirat(int below, const char *path, struct dirent ***result, int (*wanted)(const struct dirent *),
              int (*by)(const struct dirent **, const struct dirent **)) {
  int fd = openat(below, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *stream = fd < 0 ? NULL : fdopendir(fd);
  struct dirent **found = NULL;
  int n = 0, room = 0;
  if (!stream) {
    if (fd >= 0)
      close(fd);
    return -1;
  }
  for (struct dirent *entry; (entry = readdir(stream));) {
    if (wanted && !wanted(entry))
      continue;
    if (n == room) {
      room = room ? 2 * room : 16;
      struct dirent **grown = realloc(found, room * sizeof *grown);
      if (!grown)
        goto no_memory;
      found = grown;
    }
    if (!(found[n] = malloc(entry->d_reclen)))
      goto no_memory;
    memcpy(found[n++], entry, entry->d_reclen);
  }
  closedir(stream);
  if (by) {
    order = by;
    qsort(found, n, sizeof *found, compare);
  }
  *result = found;
  return n;
no_memory:
  closedir(stream);
  while (n > 0)
    free(found[--n]);
  free(found);
  errno = ENOMEM;
  return -1;
}
int scandirat64(int below, const char *path, struct dirent ***result, int (*wanted)(const struct dirent *),
                int (*by)(const struct dirent **, const struct dirent **)) {
  return scandirat(below, path, result, wanted, by);
}
