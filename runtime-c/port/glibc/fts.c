/* Walks through trees of files: fts(3), with the structures of glibc's <fts.h>.
 *
 * The directory of the process is never changed, so that paths are whole: FTS_NOCHDIR always holds. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { COMFOLLOW = 1, LOGICAL = 2, NOSTAT = 8, SEEDOT = 32, XDEV = 64, NAMEONLY = 256 };
enum { D = 1, DC, DEFAULT, DNR, DOT, DP, ERR, F, INIT, NS, NSOK, SL, SLNONE };
enum { AGAIN = 1, FOLLOW, NOINSTR, SKIP };

typedef struct entry {
  struct entry *cycle, *parent, *link;
  long number;
  void *pointer;
  char *accpath, *path;
  int error, symfd;
  unsigned short pathlen, namelen;
  ino_t ino;
  dev_t dev;
  nlink_t nlink;
  short level;
  unsigned short info, flags, instr;
  struct stat *statp;
  char name[1];
} Entry;

typedef struct {
  Entry *current, *child, **array;
  dev_t dev;
  char *path;
  int root, pathlen, count;
  int (*compare)(const Entry **, const Entry **);
  int options;
} Walk;

/* Entries whose information says how to go on; the names are freed with them. */
static void drop(Entry *entry) {
  if (entry) {
    free(entry->path);
    free(entry->statp);
    free(entry);
  }
}
static void drop_list(Entry *list) {
  while (list) {
    Entry *next = list->link;
    drop(list);
    list = next;
  }
}

static void look(Walk *walk, Entry *entry, int follow) {
  struct stat *st = entry->statp;
  entry->error = 0;
  int failed;
  if (walk->options & LOGICAL || follow) {
    failed = stat(entry->path, st);
    if (failed && !lstat(entry->path, st)) {
      entry->info = SLNONE;
      return;
    }
  } else
    failed = lstat(entry->path, st);
  if (failed) {
    entry->error = errno;
    memset(st, 0, sizeof *st);
    entry->info = NS;
    return;
  }
  entry->ino = st->st_ino;
  entry->dev = st->st_dev;
  entry->nlink = st->st_nlink;
  entry->info = S_ISDIR(st->st_mode) ? D : S_ISLNK(st->st_mode) ? SL : S_ISREG(st->st_mode) ? F : DEFAULT;
  if (entry->info != D)
    return;
  if (entry->level > 0 && (!strcmp(entry->name, ".") || !strcmp(entry->name, ".."))) {
    entry->info = DOT;
    return;
  }
  for (Entry *above = entry->parent; above && above->level >= 0; above = above->parent)
    if (above->ino == entry->ino && above->dev == entry->dev) {
      entry->cycle = above;
      entry->info = DC;
      return;
    }
}

static Entry *make(Walk *walk, Entry *parent, const char *name) {
  size_t n = strlen(name), before = parent->level < 0 ? 0 : parent->pathlen;
  Entry *entry = calloc(1, sizeof *entry + n);
  char *path = malloc(before + n + 2);
  struct stat *st = calloc(1, sizeof *st);
  if (!entry || !path || !st) {
    free(entry);
    free(path);
    free(st);
    return NULL;
  }
  memcpy(path, parent->path, before);
  if (before && path[before - 1] != '/')
    path[before++] = '/';
  strcpy(path + before, name);
  strcpy(entry->name, name);
  entry->path = entry->accpath = path;
  entry->pathlen = before + n;
  entry->namelen = n;
  entry->parent = parent;
  entry->level = parent->level + 1;
  entry->statp = st;
  entry->instr = NOINSTR;
  return entry;
}

static Walk *sorting;
static int compare(const void *a, const void *b) { return sorting->compare((const Entry **)a, (const Entry **)b); }

static Entry *sorted(Walk *walk, Entry *list, size_t count) {
  if (!walk->compare || count < 2)
    return list;
  Entry **array = calloc(count, sizeof *array);
  if (!array)
    return list;
  for (size_t i = 0; i < count; i++, list = list->link)
    array[i] = list;
  sorting = walk;
  qsort(array, count, sizeof *array, compare);
  for (size_t i = 0; i + 1 < count; i++)
    array[i]->link = array[i + 1];
  array[count - 1]->link = NULL;
  list = array[0];
  free(array);
  return list;
}

/* The entries of a directory. Fails with errno, and with 0 in it for an empty directory. */
static Entry *read_directory(Walk *walk, Entry *directory, int names_only) {
  errno = 0;
  DIR *stream = opendir(directory->path);
  if (!stream) {
    directory->error = errno;
    if (!names_only)
      directory->info = DNR;
    return NULL;
  }
  Entry *list = NULL, **end = &list;
  size_t count = 0;
  for (struct dirent *found; (found = readdir(stream));) {
    int is_dot = !strcmp(found->d_name, ".") || !strcmp(found->d_name, "..");
    if (is_dot && !(walk->options & SEEDOT))
      continue;
    Entry *entry = make(walk, directory, found->d_name);
    if (!entry) {
      closedir(stream);
      drop_list(list);
      errno = ENOMEM;
      return NULL;
    }
    if (names_only || (walk->options & NOSTAT && found->d_type != DT_DIR && found->d_type != DT_UNKNOWN &&
                       !(walk->options & LOGICAL && found->d_type == DT_LNK)))
      entry->info = NSOK;
    else
      look(walk, entry, 0);
    *end = entry;
    end = &entry->link;
    count++;
  }
  closedir(stream);
  errno = 0;
  return sorted(walk, list, count);
}

Walk *fts_open(char *const *paths, int options, int (*order)(const Entry **, const Entry **)) {
  if (options & ~255 || !*paths) {
    errno = EINVAL;
    return NULL;
  }
  Walk *walk = calloc(1, sizeof *walk);
  Entry *root = calloc(1, sizeof *root), *before = calloc(1, sizeof *before);
  if (!walk || !root || !before)
    goto no_memory;
  walk->compare = order;
  walk->options = options;
  root->level = -1;
  Entry *list = NULL, **end = &list;
  size_t count = 0;
  for (; *paths; paths++, count++) {
    size_t n = strlen(*paths);
    while (n > 1 && (*paths)[n - 1] == '/')
      n--;
    char *path = strndup(*paths, n);
    Entry *entry = path ? make(walk, root, path) : NULL;
    free(path);
    if (!entry) {
      drop_list(list);
      goto no_memory;
    }
    look(walk, entry, options & COMFOLLOW);
    if (entry->info == DOT)
      entry->info = D;
    *end = entry;
    end = &entry->link;
  }
  before->link = sorted(walk, list, count);
  before->info = INIT;
  before->parent = root;
  walk->current = before;
  return walk;
no_memory:
  free(walk);
  free(root);
  free(before);
  errno = ENOMEM;
  return NULL;
}

static Entry *arrive(Walk *walk, Entry *entry) {
  if (entry->level == 0) {
    /* The last part of a path that was given is its name. */
    walk->dev = entry->dev;
    char *slash = strrchr(entry->name, '/');
    if (slash && (slash != entry->name || slash[1])) {
      entry->namelen = strlen(slash + 1);
      memmove(entry->name, slash + 1, entry->namelen + 1);
    }
  }
  walk->current = entry;
  walk->path = entry->path;
  return entry;
}

Entry *fts_read(Walk *walk) {
  Entry *entry = walk->current;
  if (!entry)
    return NULL;
  int instruction = entry->instr;
  entry->instr = NOINSTR;
  if (instruction == AGAIN) {
    look(walk, entry, 0);
    return entry;
  }
  if (instruction == FOLLOW && (entry->info == SL || entry->info == SLNONE)) {
    look(walk, entry, 1);
    return entry;
  }
  if (entry->info == D) {
    if (instruction == SKIP || (walk->options & XDEV && entry->dev != walk->dev)) {
      drop_list(walk->child);
      walk->child = NULL;
      entry->info = DP;
      return entry;
    }
    if (walk->child && walk->options & NAMEONLY) {
      drop_list(walk->child);
      walk->child = NULL;
    }
    walk->options &= ~NAMEONLY;
    Entry *first = walk->child ? walk->child : read_directory(walk, entry, 0);
    walk->child = NULL;
    if (first)
      return arrive(walk, first);
    if (entry->info == D)
      entry->info = DP;
    return entry;
  }
  for (;;) {
    Entry *next = entry->link, *parent = entry->parent;
    drop(entry);
    while (next && next->instr == SKIP) {
      Entry *after = next->link;
      drop(next);
      next = after;
    }
    if (next) {
      if (next->instr == FOLLOW) {
        look(walk, next, 1);
        next->instr = NOINSTR;
      }
      return arrive(walk, next);
    }
    if (parent->level < 0) {
      drop(parent);
      walk->current = NULL;
      errno = 0;
      return NULL;
    }
    parent->info = parent->error ? ERR : DP;
    walk->current = entry = parent;
    walk->path = entry->path;
    return entry;
  }
}

Entry *fts_children(Walk *walk, int instruction) {
  Entry *entry = walk->current;
  if (instruction && instruction != NAMEONLY) {
    errno = EINVAL;
    return NULL;
  }
  errno = 0;
  if (!entry)
    return NULL;
  if (entry->info == INIT)
    return entry->link;
  if (entry->info != D)
    return NULL;
  drop_list(walk->child);
  walk->options = (walk->options & ~NAMEONLY) | instruction;
  return walk->child = read_directory(walk, entry, instruction == NAMEONLY);
}

int fts_set(Walk *walk, Entry *entry, int instruction) {
  if (instruction < 0 || instruction > SKIP) {
    errno = EINVAL;
    return 1;
  }
  entry->instr = instruction;
  return 0;
}

int fts_close(Walk *walk) {
  drop_list(walk->child);
  for (Entry *entry = walk->current; entry;) {
    Entry *parent = entry->parent;
    drop_list(entry->link);
    drop(entry);
    entry = parent;
  }
  free(walk);
  return 0;
}

Walk *fts64_open(char *const *paths, int options, int (*order)(const Entry **, const Entry **)) {
  return fts_open(paths, options, order);
}
Entry *fts64_read(Walk *walk) { return fts_read(walk); }
Entry *fts64_children(Walk *walk, int instruction) { return fts_children(walk, instruction); }
int fts64_set(Walk *walk, Entry *entry, int instruction) { return fts_set(walk, entry, instruction); }
int fts64_close(Walk *walk) { return fts_close(walk); }
