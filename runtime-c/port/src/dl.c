/* Libraries that a program opens while it runs: dlopen(3) and its family.
 *
 * The engine reads a library, links it behind the program and knows its symbols. All the rest is here: where
 * libraries are looked for, which of them need which, in which order symbols are looked for, who runs when.
 * Libraries count from 1 in the order in which they were linked; 0 is the program, with the C library and
 * with all libraries that it was linked with. A library stays until the program ends, as with musl. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A flag that only glibc has: the library's own symbols come first. */
#define DEEPBIND 8

enum { CONSTRUCTOR, DESTRUCTOR };
enum { UNDEFINED = -1 };

/* Reads the library in a file, or what there is to know of the program (-1): its name, its run path, the names
 * of what it needs, each with a zero behind it, and one more zero. Returns 0, or -1 and a text that says why. */
extern long __everett_dl_read(int file, char *text, size_t size);
/* Links libraries, whose symbols are looked for in the libraries of a scope. Returns 0, or UNDEFINED and the
 * name of a symbol that is missing. */
extern long __everett_dl_link(const int *files, size_t count, const long *scope, size_t scope_count, int now,
                              char *text, size_t size);
/* The address of a symbol that a library exports; of the program, only what it has not defined itself. */
extern void *__everett_dl_symbol(long library, const char *name, int beyond);
extern void *__everett_dl_function(long library, int kind, size_t index);
/* The library that has an address, or -1; also the name and the beginning of what is there. */
extern long __everett_dl_at(const void *address, char *name, size_t size, void **start);
/* The library whose code has called the C library. */
extern long __everett_dl_caller(void);

struct library {
  struct library *next;    /* linked after it */
  struct library **needed; /* with a null behind the last one */
  struct library *finished_before;
  struct library *opener;
  char *path, *run_path, *name;
  long number, references;
  dev_t device;
  ino_t inode;
  int file, is_global, is_begun;
  int needs_program; /* among what it needs is the C library, or a library that is part of the program */
};

static struct library program;
static struct library *last = &program, *finished_first;
/* Those whose symbols all libraries find, in this order; the program is not among them. */
static struct library **everybodys;
static size_t everybodys_count;
/* The texts of the program itself, see __everett_dl_read. */
static char program_text[4096];
static const char *library_path = "";
static pthread_mutex_t lock = {{{PTHREAD_MUTEX_RECURSIVE}}};

static __thread char message[512];
static __thread int has_message;

static void fail(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  has_message = 1;
}

/* The dynamic loader looks at the environment once, before the program does. */
__attribute__((constructor(101))) static void note_environment(void) {
  const char *path = getenv("LD_LIBRARY_PATH");
  if (path) library_path = path;
  program.name = program.path = program_invocation_name;
  __everett_dl_read(-1, program_text, sizeof program_text);
  program.run_path = program_text + strlen(program_text) + 1;
}

/* ---- finding ---- */

/* Libraries that are part of the C library here, or of the program. */
static int is_within(const char *name) {
  static const char *const own[] = {"c",   "pthread", "rt",     "m",      "dl",     "util",
                                    "xnet", "resolv",  "crypt", "gcc_s", "stdc++", "anl"};
  if (!strncmp(name, "ld-linux", 8) || !strncmp(name, "ld-musl-", 8)) return 1;
  if (!strncmp(name, "libc.musl-", 10)) return 1;
  for (size_t i = 0; !strncmp(name, "lib", 3) && i < sizeof own / sizeof *own; i++) {
    size_t length = strlen(own[i]);
    const char *rest = name + 3 + length;
    if (!strncmp(name + 3, own[i], length) && (!strcmp(rest, ".so") || !strncmp(rest, ".so.", 4))) return 1;
  }
  const char *needed = program.run_path + strlen(program.run_path) + 1;
  for (; *needed; needed += strlen(needed) + 1)
    if (!strcmp(needed, name)) return 1;
  return 0;
}

/* Opens a file in the first of some folders that has it. ORIGIN is the folder of the library that names them. */
static int open_in(const char *folders, const char *origin, const char *name, char path[PATH_MAX]) {
  while (*folders) {
    size_t length = strcspn(folders, ":");
    const char *folder = folders, *before = "";
    size_t before_length = 0, rest = length;
    folders += length + (folders[length] == ':');
    size_t skipped = !strncmp(folder, "$ORIGIN", 7) ? 7 : !strncmp(folder, "${ORIGIN}", 9) ? 9 : 0;
    if (skipped && skipped <= length) {
      const char *slash = strrchr(origin, '/');
      before = slash ? origin : ".";
      before_length = slash ? (size_t)(slash - origin) : 1;
      folder += skipped;
      rest -= skipped;
    }
    if (before_length + rest == 0) folder = ".", rest = 1;
    int size = snprintf(path, PATH_MAX, "%.*s%.*s/%s", (int)before_length, before, (int)rest, folder, name);
    if (size < 0 || size >= PATH_MAX) continue;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file >= 0) return file;
  }
  errno = ENOENT;
  return -1;
}

/* The file whose folder `$ORIGIN` is. */
static const char *origin_of(const struct library *library) {
  static char executable[PATH_MAX];
  if (library != &program) return library->path;
  if (!*executable) readlink("/proc/self/exe", executable, sizeof executable - 1);
  return executable;
}

static int open_library(const char *name, struct library *opener, char path[PATH_MAX]) {
  if (!*name) return errno = EINVAL, -1;
  if (strchr(name, '/')) {
    if (strlen(name) >= PATH_MAX) return errno = ENAMETOOLONG, -1;
    strcpy(path, name);
    return open(path, O_RDONLY | O_CLOEXEC);
  }
  int file = open_in(library_path, "", name, path);
  for (; file < 0 && opener; opener = opener->opener)
    file = open_in(opener->run_path, origin_of(opener), name, path);
  return file >= 0 ? file : open_in("/lib:/usr/lib:/usr/local/lib", "", name, path);
}

/* Reads a library that was asked for by a name, and found under a path. It is known by the name that it has
 * itself, or else by the one that was looked for. */
static struct library *add(int file, const struct stat *status, const char *name, const char *path,
                           struct library *opener) {
  static char text[8192];
  if (__everett_dl_read(file, text, sizeof text)) {
    fail("Error loading shared library %s: %s", path, text);
    return NULL;
  }
  const char *run_path = text + strlen(text) + 1;
  const char *needed = run_path + strlen(run_path) + 1;
  size_t count = 0;
  for (const char *at = needed; *at; at += strlen(at) + 1) count++;
  struct library *new = calloc(1, sizeof *new);
  char *own_path = strdup(path), *own_run_path = strdup(run_path);
  char *own_name = strdup(*text ? text : strchr(name, '/') ? "" : name);
  struct library **list = calloc(count + 1, sizeof *list);
  if (!new || !own_path || !own_run_path || !own_name || !list) {
    fail("Error loading shared library %s: %s", path, strerror(ENOMEM));
    return NULL;
  }
  *new = (struct library){
      .needed = list, .opener = opener, .path = own_path, .run_path = own_run_path, .name = own_name,
      .number = last->number + 1, .device = status->st_dev, .inode = status->st_ino, .file = file,
  };
  last = last->next = new;
  return new;
}

/* Finds a library, or reads it. */
static struct library *find(const char *name, struct library *opener, int may_load) {
  if (*name && !strchr(name, '/')) {
    if (is_within(name)) return &program;
    for (struct library *library = program.next; library; library = library->next)
      if (!strcmp(library->name, name)) return library;
  }
  char path[PATH_MAX];
  struct stat status;
  int file = open_library(name, opener, path);
  if (file < 0 || fstat(file, &status)) {
    const char *why = strerror(errno), *by = opener && opener != &program ? opener->path : NULL;
    if (file >= 0) close(file);
    fail(by ? "Error loading shared library %s: %s (needed by %s)" : "Error loading shared library %s: %s", name,
         why, by);
    return NULL;
  }
  for (struct library *library = program.next; library; library = library->next) {
    if (library->device == status.st_dev && library->inode == status.st_ino) {
      close(file);
      return library;
    }
  }
  if (!may_load) {
    close(file);
    fail("Library %s is not already loaded", name);
    return NULL;
  }
  struct library *new = add(file, &status, name, path, opener);
  if (!new) close(file);
  return new;
}

/* Finds what a new library needs. Its names are read anew, as all texts share one place. */
static int find_needed(struct library *library) {
  char text[8192];
  __everett_dl_read(library->file, text, sizeof text);
  const char *name = text + strlen(text) + 1;
  name += strlen(name) + 1;
  struct library **to = library->needed;
  for (; *name; name += strlen(name) + 1) {
    struct library *found = find(name, library, 1);
    if (!found) return -1;
    if (found != &program)
      *to++ = found;
    else
      library->needs_program = 1;
  }
  return 0;
}

/* ---- linking ---- */

/* A library and all that it needs, the nearest first. */
static struct library **closure(struct library *root) {
  size_t count = 1;
  struct library **found = calloc(last->number + 2, sizeof *found);
  if (!found) return NULL;
  found[0] = root;
  for (size_t at = 0; at < count; at++) {
    for (struct library **next = found[at]->needed; next && *next; next++) {
      size_t known = 0;
      while (known < count && found[known] != *next) known++;
      if (known == count) found[count++] = *next;
    }
  }
  return found;
}

/* Takes back libraries that were read and not linked. */
static void drop_after(struct library *kept) {
  struct library *library = kept->next;
  kept->next = NULL;
  last = kept;
  while (library) {
    struct library *next = library->next;
    close(library->file);
    free(library->needed);
    free(library->run_path);
    free(library->path);
    free(library->name);
    free(library);
    library = next;
  }
}

/* Links all libraries behind one that was linked before. */
static int link_after(struct library *before, struct library *root, int mode) {
  char missing[256];
  size_t count = last->number - before->number, scope_count = 0;
  int *files = calloc(count, sizeof *files);
  long *scope = calloc(everybodys_count + last->number + 2, sizeof *scope);
  struct library **own = closure(root);
  long outcome = UNDEFINED;
  if (files && scope && own) {
    size_t at = 0;
    for (struct library *library = before->next; library; library = library->next) files[at++] = library->file;
    for (struct library **next = own; (mode & DEEPBIND) && *next; next++) scope[scope_count++] = (*next)->number;
    scope[scope_count++] = 0;
    for (at = 0; at < everybodys_count; at++) scope[scope_count++] = everybodys[at]->number;
    for (struct library **next = own; !(mode & DEEPBIND) && *next; next++) scope[scope_count++] = (*next)->number;
    outcome = __everett_dl_link(files, count, scope, scope_count, mode & RTLD_NOW, missing, sizeof missing);
    if (outcome) fail("Error relocating %s: %s: symbol not found", root->path, missing);
  } else {
    fail("Error loading shared library %s: %s", root->path, strerror(ENOMEM));
  }
  free(files);
  free(scope);
  free(own);
  if (outcome) return -1;
  for (struct library *library = before->next; library; library = library->next) close(library->file);
  return 0;
}

/* Runs the constructors of a library after those of all that it needs. */
static void begin(struct library *library) {
  if (library->is_begun || library == &program) return;
  library->is_begun = 1;
  for (struct library **next = library->needed; *next; next++) begin(*next);
  library->finished_before = finished_first;
  finished_first = library;
  void (*run)(void);
  for (size_t at = 0; (run = (void (*)(void))__everett_dl_function(library->number, CONSTRUCTOR, at)); at++) run();
}

/* Lets everybody find the symbols of a library and of all that it needs. */
static void show(struct library *root) {
  struct library **own = closure(root);
  for (struct library **next = own; own && *next; next++) {
    if ((*next)->is_global || *next == &program) continue;
    struct library **more = realloc(everybodys, (everybodys_count + 1) * sizeof *more);
    if (!more) break;
    everybodys = more;
    everybodys[everybodys_count++] = *next;
    (*next)->is_global = 1;
  }
  free(own);
}

static struct library *load(const char *name, int mode) {
  struct library *before = last;
  struct library *root = find(name, &program, !(mode & RTLD_NOLOAD));
  if (!root) return NULL;
  for (struct library *new = before->next; new; new = new->next) {
    if (find_needed(new)) {
      drop_after(before);
      return NULL;
    }
  }
  if (before->next && link_after(before, root, mode)) {
    drop_after(before);
    return NULL;
  }
  root->references++;
  if (mode & RTLD_GLOBAL) show(root);
  begin(root);
  return root;
}

void *dlopen(const char *name, int mode) {
  if (!name) return &program;
  int cancelling;
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancelling);
  pthread_mutex_lock(&lock);
  struct library *found = load(name, mode);
  pthread_mutex_unlock(&lock);
  pthread_setcancelstate(cancelling, NULL);
  return found;
}

static struct library *known(void *handle) {
  struct library *library = &program;
  while (library && library != handle) library = library->next;
  if (!library) fail("Invalid library handle %p", handle);
  return library;
}

int dlclose(void *handle) {
  pthread_mutex_lock(&lock);
  struct library *library = known(handle);
  if (library && library != &program && library->references == 0) {
    fail("Invalid library handle %p", handle);
    library = NULL;
  }
  if (library) library->references -= library != &program;
  pthread_mutex_unlock(&lock);
  return library ? 0 : -1;
}

/* The end of the program: the library that began last is the first to finish. */
void __everett_dl_finish(void) {
  void (*run)(void);
  for (; finished_first; finished_first = finished_first->finished_before) {
    long number = finished_first->number;
    for (size_t at = 0; (run = (void (*)(void))__everett_dl_function(number, DESTRUCTOR, at)); at++) run();
  }
}

/* Called by fork: nobody else opens libraries while the process is copied. */
void __ldso_atfork(int who) {
  if (who < 0)
    pthread_mutex_lock(&lock);
  else if (who == 0)
    pthread_mutex_unlock(&lock);
  else
    lock = (pthread_mutex_t){{{PTHREAD_MUTEX_RECURSIVE}}};
}

/* ---- symbols ---- */

/* Looks in what everybody finds. */
static void *find_everybodys(const char *name) {
  void *found = __everett_dl_symbol(0, name, 0);
  for (size_t at = 0; !found && at < everybodys_count; at++)
    found = __everett_dl_symbol(everybodys[at]->number, name, 0);
  return found;
}

/* Looks behind the library whose code asks. */
static void *find_next(const char *name) {
  long caller = __everett_dl_caller();
  void *found = caller ? NULL : __everett_dl_symbol(0, name, 1);
  for (struct library *next = program.next; !found && next; next = next->next)
    if (next->number > caller && (caller || next->is_global)) found = __everett_dl_symbol(next->number, name, 0);
  return found;
}

void *dlsym(void *restrict handle, const char *restrict name) {
  void *found = NULL;
  struct library *library;
  pthread_mutex_lock(&lock);
  if (handle == RTLD_DEFAULT || handle == &program) {
    found = find_everybodys(name);
  } else if (handle == RTLD_NEXT) {
    found = find_next(name);
  } else if ((library = known(handle))) {
    struct library **own = closure(library);
    int needs_program = 0;
    for (struct library **next = own; own && !found && *next; next++) {
      found = __everett_dl_symbol((*next)->number, name, 0);
      needs_program |= (*next)->needs_program;
    }
    if (!found && needs_program) found = __everett_dl_symbol(0, name, 1);
    free(own);
  } else {
    pthread_mutex_unlock(&lock);
    return NULL;
  }
  if (!found) fail("Symbol not found: %s", name);
  pthread_mutex_unlock(&lock);
  return found;
}

/* A name that stays, each once. */
static const char *kept(const char *name) {
  static struct text {
    struct text *next;
    char text[];
  } *texts;
  struct text *at = texts;
  while (at && strcmp(at->text, name)) at = at->next;
  if (!at && (at = malloc(sizeof *at + strlen(name) + 1))) {
    strcpy(at->text, name);
    at->next = texts;
    texts = at;
  }
  return at ? at->text : NULL;
}

int dladdr(const void *address, Dl_info *info) {
  char name[1024];
  void *start = NULL;
  pthread_mutex_lock(&lock);
  long number = __everett_dl_at(address, name, sizeof name, &start);
  struct library *library = &program;
  while (library && library->number != number) library = library->next;
  if (library) {
    *info = (Dl_info){.dli_fname = library->path, .dli_fbase = library};
    if (*name) {
      info->dli_sname = kept(name);
      info->dli_saddr = start;
    }
  }
  pthread_mutex_unlock(&lock);
  return library != NULL;
}

char *dlerror(void) {
  int had = has_message;
  has_message = 0;
  return had ? message : NULL;
}
