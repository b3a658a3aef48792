/* The cache of a web server for what `stat` says of files. A daemon on another machine tells when a directory
 * changes: the first request for a file of a directory asks it to watch the directory, and what is known of the files
 * is good as long as the version of the directory stays the same. */
#include <sys/stat.h>

#include "../../../systems/sockets.h"

enum { NAME_MAX_BYTES = 15, DIRECTORIES = 4, FILES = 4 };

struct directory {
  char name[NAME_MAX_BYTES + 1];
  int version;
};

struct file {
  char path[NAME_MAX_BYTES + 1];
  struct directory *directory;
  int version;
  long size;
};

static int monitor = -1;
static struct directory *directories[DIRECTORIES];
static struct file files[FILES];
static int file_count;

/* Asks the daemon to watch a directory. Returns 0 if it does. */
static int watch(const struct directory *directory) {
  char answer;
  if (write(monitor, directory->name, sizeof directory->name) != sizeof directory->name) return -1;
  return read(monitor, &answer, 1) == 1 && answer == 'k' ? 0 : -1;
}

/* The directory of a file, which is watched from now on; NULL if it cannot be. */
static struct directory *watched_directory(const char *path) {
  char name[NAME_MAX_BYTES + 1] = "";
  memcpy(name, path, strrchr(path, '/') - path);
  int place = 0;
  while (place < DIRECTORIES && directories[place] != NULL) {
    if (strcmp(directories[place]->name, name) == 0) return directories[place];
    place++;
  }
  if (place == DIRECTORIES) return NULL;

  struct directory *directory = calloc(1, sizeof *directory);
  assert(directory != NULL);
  strcpy(directory->name, name);
  directory->version = 1;
  if (watch(directory) != 0) {
    fprintf(stderr, "cannot watch %s\n", name);
    free(directory);
#ifdef REPAIRED
    directory = NULL;
#endif
  } else {
    directories[place] = directory;
  }
  return directory;
}

/* What is known of a file. Returns NULL if there is none. */
static struct file *stat_cached(const char *path) {
  struct stat found;
  for (int i = 0; i < file_count; i++) {
    struct file *file = &files[i];
    if (strcmp(file->path, path) == 0 && file->directory != NULL && file->version == file->directory->version)
      return file;
  }
  if (stat(path, &found) != 0) return NULL;
  struct directory *directory = watched_directory(path);
  struct file *file = &files[file_count < FILES ? file_count++ : 0];
  strcpy(file->path, path);
  file->size = found.st_size;
  file->directory = directory;
  if (directory != NULL) file->version = directory->version;
  return file;
}

static void serve(int fd) {
  char path[NAME_MAX_BYTES + 1];
  while (read_all(fd, path, NAME_MAX_BYTES) == NAME_MAX_BYTES) {
    path[NAME_MAX_BYTES] = 0;
    struct file *file = path[0] == '/' ? stat_cached(path) : NULL;
    char answer[16] = "none";
    if (file != NULL) snprintf(answer, sizeof answer, "%ld", file->size);
    if (send(fd, answer, sizeof answer, MSG_NOSIGNAL) != sizeof answer) return;
  }
}

int main(void) {
  int listener = listening(8080);
  monitor = connected(SOCK_STREAM, "monitor", 4000);
  for (;;) {
    int fd = accept(listener, NULL, NULL);
    if (fd < 0) continue;
    serve(fd);
    close(fd);
  }
}
