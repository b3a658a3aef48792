/* Functions on files and memory. They just happen, and are counted, so that a fault that happened to one of
 * them in the script happens to the same call here. */
#include "turn.h"

/* The return type's way to say that a call failed. */
#define FAILED_int ((int)-1)
#define FAILED_long (-1L)
#define FAILED_pointer NULL
#define FAILED_mapping ((void *)-1)
typedef void *pointer;
typedef void *mapping;

static void note(const event *e) {
  if (e->error != 0)
    *__errno_location() = e->error;
  turn_pass(e);
}

#define CALL(type, name, parameters, arguments)                   \
  EXPORT type name parameters {                                   \
    const event *e = turn_local(EVERETT_API_##name);              \
    if (!e)                                                       \
      return REAL(name) arguments;                                \
    int has_failed = e->error != 0;                               \
    long result = (long)e->result;                                \
    note(e);                                                      \
    return has_failed ? FAILED_##type : (type)result;             \
  }

CALL(int, fsync, (int fd), (fd))
CALL(int, fdatasync, (int fd), (fd))
CALL(int, syncfs, (int fd), (fd))
CALL(int, truncate, (const char *path, long size), (path, size))
CALL(int, ftruncate, (int fd, long size), (fd, size))
CALL(int, fallocate, (int fd, int mode, long at, long size), (fd, mode, at, size))
CALL(int, flock, (int fd, int operation), (fd, operation))
CALL(int, lockf, (int fd, int operation, long size), (fd, operation, size))
CALL(int, access, (const char *path, int mode), (path, mode))
CALL(int, faccessat, (int fd, const char *path, int mode, int flags), (fd, path, mode, flags))
CALL(int, chmod, (const char *path, unsigned mode), (path, mode))
CALL(int, fchmod, (int fd, unsigned mode), (fd, mode))
CALL(int, fchmodat, (int fd, const char *path, unsigned mode, int flags), (fd, path, mode, flags))
CALL(int, chown, (const char *path, unsigned user, unsigned group), (path, user, group))
CALL(int, fchown, (int fd, unsigned user, unsigned group), (fd, user, group))
CALL(int, lchown, (const char *path, unsigned user, unsigned group), (path, user, group))
CALL(int, fchownat, (int fd, const char *path, unsigned user, unsigned group, int flags),
     (fd, path, user, group, flags))
CALL(int, utime, (const char *path, const void *times), (path, times))
CALL(int, utimes, (const char *path, const void *times), (path, times))
CALL(int, utimensat, (int fd, const char *path, const void *times, int flags), (fd, path, times, flags))
CALL(int, futimens, (int fd, const void *times), (fd, times))
CALL(int, rename, (const char *from, const char *to), (from, to))
CALL(int, renameat, (int from_fd, const char *from, int to_fd, const char *to), (from_fd, from, to_fd, to))
CALL(int, link, (const char *from, const char *to), (from, to))
CALL(int, linkat, (int from_fd, const char *from, int to_fd, const char *to, int flags),
     (from_fd, from, to_fd, to, flags))
CALL(int, symlink, (const char *target, const char *path), (target, path))
CALL(int, symlinkat, (const char *target, int fd, const char *path), (target, fd, path))
CALL(int, unlink, (const char *path), (path))
CALL(int, unlinkat, (int fd, const char *path, int flags), (fd, path, flags))
CALL(int, remove, (const char *path), (path))
CALL(int, mkdir, (const char *path, unsigned mode), (path, mode))
CALL(int, mkdirat, (int fd, const char *path, unsigned mode), (fd, path, mode))
CALL(int, rmdir, (const char *path), (path))
CALL(int, mkfifo, (const char *path, unsigned mode), (path, mode))
CALL(int, mknod, (const char *path, unsigned mode, unsigned long device), (path, mode, device))
CALL(int, chdir, (const char *path), (path))
CALL(int, fchdir, (int fd), (fd))
CALL(int, mkstemp, (char *template), (template))
CALL(int, msync, (void *at, size_t size, int flags), (at, size, flags))
CALL(long, lseek, (int fd, long to, int from), (fd, to, from))
CALL(long, readlink, (const char *path, char *buffer, size_t size), (path, buffer, size))
CALL(long, readlinkat, (int fd, const char *path, char *buffer, size_t size), (fd, path, buffer, size))
CALL(pointer, getcwd, (char *buffer, size_t size), (buffer, size))
CALL(pointer, mkdtemp, (char *template), (template))
CALL(pointer, opendir, (const char *path), (path))
CALL(pointer, fdopendir, (int fd), (fd))
CALL(pointer, readdir, (void *folder), (folder))
CALL(int, closedir, (void *folder), (folder))
CALL(mapping, mmap, (void *at, size_t size, int access, int flags, int fd, long offset),
     (at, size, access, flags, fd, offset))
CALL(pointer, fopen, (const char *path, const char *mode), (path, mode))

/* stat and its relatives are plain functions in musl, and in glibc since 2.33. They may tell other times of a
 * file than it has. */
#define STAT(name, parameters, arguments, first, second, third)  \
  EXPORT int name parameters {                                    \
    const event *e = turn_local(EVERETT_API_##name);              \
    int has_failed = e && e->error != 0;                          \
    int result = has_failed ? -1 : REAL(name) arguments;          \
    if (e && result == 0 && e->data_bytes == 48) {                \
      memcpy((char *)status + (first), event_data(e), 16);        \
      memcpy((char *)status + (second), event_data(e) + 16, 16);  \
      memcpy((char *)status + (third), event_data(e) + 32, 16);   \
    }                                                             \
    if (e)                                                        \
      note(e);                                                    \
    return result;                                                \
  }

STAT(stat, (const char *path, void *status), (path, status), 72, 88, 104)
STAT(fstat, (int fd, void *status), (fd, status), 72, 88, 104)
STAT(lstat, (const char *path, void *status), (path, status), 72, 88, 104)
STAT(fstatat, (int fd, const char *path, void *status, int flags), (fd, path, status, flags), 72, 88, 104)
STAT(statx, (int fd, const char *path, int flags, unsigned wanted, void *status), (fd, path, flags, wanted, status),
     64, 96, 112)

/* The room on the disk, in struct statfs: blocks and files, and those that are free. */
#define ROOM(name, parameters, arguments)              \
  EXPORT int name parameters {                         \
    const event *e = turn_local(EVERETT_API_##name);   \
    int has_failed = e && e->error != 0;               \
    int result = has_failed ? -1 : REAL(name) arguments; \
    if (e && result == 0 && e->data_bytes == 120)      \
      memcpy((char *)status + 16, event_data(e) + 16, 40); \
    if (e)                                             \
      note(e);                                         \
    return result;                                     \
  }

/* struct statvfs has them at the same places. */
ROOM(statfs, (const char *path, void *status), (path, status))
ROOM(fstatfs, (int fd, void *status), (fd, status))
ROOM(statvfs, (const char *path, void *status), (path, status))
ROOM(fstatvfs, (int fd, void *status), (fd, status))

/* Limits of the node. Only the program knows of them. */
EXPORT int getrlimit(int resource, uint64_t *limits) {
  const event *e = turn_local(EVERETT_API_getrlimit);
  if (!e)
    return REAL(getrlimit)(resource, limits);
  memcpy(limits, event_data(e), e->data_bytes);
  note(e);
  return 0;
}

CALL(int, setrlimit, (int resource, const uint64_t *limits), (resource, limits))

static long limit_told(const event *e) {
  uint64_t limits[2] = {0, 0};
  memcpy(limits, event_data(e), e->data_bytes < sizeof limits ? e->data_bytes : sizeof limits);
  note(e);
  return (long)limits[0];
}

EXPORT long sysconf(int name) {
  const event *e = from_library(__builtin_return_address(0)) ? NULL : turn_local(EVERETT_API_sysconf);
  return e ? limit_told(e) : REAL(sysconf)(name);
}

EXPORT int getdtablesize(void) {
  const event *e = turn_local(EVERETT_API_getdtablesize);
  return e ? (int)limit_told(e) : REAL(getdtablesize)();
}

/* Opening takes a third argument only sometimes; it does no harm to pass it on. */
enum { WHERE_I_AM = -100, LARGE_FILES = 0100000 };

static int opened(unsigned api, int folder, const char *path, int flags, unsigned mode) {
  const event *e = turn_local(api);
  if (!e)
    return (int)answered(system_call(257, folder, (long)path, flags | LARGE_FILES, mode, 0, 0));
  int result = e->error != 0 ? -1 : (int)e->result;
  note(e);
  return result;
}

EXPORT int open(const char *path, int flags, unsigned mode) {
  return opened(EVERETT_API_open, WHERE_I_AM, path, flags, mode);
}
EXPORT int openat(int fd, const char *path, int flags, unsigned mode) {
  return opened(EVERETT_API_openat, fd, path, flags, mode);
}
EXPORT int creat(const char *path, unsigned mode) {
  return opened(EVERETT_API_creat, WHERE_I_AM, path, 01101, mode);
}

/* Reading and writing at a place may come short. */
static long short_or_failed(const event *e, size_t *size) {
  if (e->error == 0 && (size_t)e->result < *size)
    *size = (size_t)e->result;
  return e->error != 0 ? -1 : 0;
}

EXPORT long pread(int fd, void *buffer, size_t size, long at) {
  const event *e = turn_local(EVERETT_API_pread);
  long bad = e ? short_or_failed(e, &size) : 0;
  long result = bad ? bad : answered(system_call(17, fd, (long)buffer, (long)size, at, 0, 0));
  if (e)
    note(e);
  return result;
}

EXPORT long pwrite(int fd, const void *buffer, size_t size, long at) {
  const event *e = turn_local(EVERETT_API_pwrite);
  long bad = e ? short_or_failed(e, &size) : 0;
  long result = bad ? bad : answered(system_call(18, fd, (long)buffer, (long)size, at, 0, 0));
  if (e)
    note(e);
  return result;
}

EXPORT long copy_file_range(int from, long *from_at, int to, long *to_at, size_t size, unsigned flags) {
  const event *e = turn_local(EVERETT_API_copy_file_range);
  long bad = e ? short_or_failed(e, &size) : 0;
  long done = bad ? 0 : system_call(326, from, (long)from_at, to, (long)to_at, (long)size, flags);
  if (e)
    note(e);
  return bad ? bad : answered(done);
}

/* The same for several pieces. */
static long at_place(unsigned api, long call, int fd, const struct iovec_ *vector, int count, long at) {
  const event *e = turn_local(api);
  if (!e)
    return answered(system_call(call, fd, (long)vector, count, at, 0, 0));
  enum { PIECES_MAX = 1024 };
  struct iovec_ pieces[PIECES_MAX];
  int used = first_bytes(pieces, PIECES_MAX, vector, count, e->result);
  long result = e->error != 0 ? -1 : answered(system_call(call, fd, (long)pieces, used, at, 0, 0));
  note(e);
  return result;
}

EXPORT long preadv(int fd, const struct iovec_ *vector, int count, long at) {
  return at_place(EVERETT_API_preadv, 295, fd, vector, count, at);
}

EXPORT long pwritev(int fd, const struct iovec_ *vector, int count, long at) {
  return at_place(EVERETT_API_pwritev, 296, fd, vector, count, at);
}

/* Tells of a failure by its result. */
EXPORT int posix_fallocate(int fd, long at, long size) {
  const event *e = turn_local(EVERETT_API_posix_fallocate);
  if (!e)
    return REAL(posix_fallocate)(fd, at, size);
  int error = e->error;
  turn_pass(e);
  return error;
}

EXPORT void sync(void) {
  const event *e = turn_local(EVERETT_API_sync);
  if (e)
    note(e);
  else
    REAL(sync)();
}

/* Names that glibc's headers give to the same functions; musl has no library functions of these names. */
EXPORT int stat64(const char *path, void *status) { return stat(path, status); }
EXPORT int fstat64(int fd, void *status) { return fstat(fd, status); }
EXPORT int lstat64(const char *path, void *status) { return lstat(path, status); }
EXPORT int fstatat64(int fd, const char *path, void *status, int flags) { return fstatat(fd, path, status, flags); }
EXPORT int statvfs64(const char *path, void *status) { return statvfs(path, status); }
EXPORT int fstatvfs64(int fd, void *status) { return fstatvfs(fd, status); }
EXPORT int statfs64(const char *path, void *status) { return statfs(path, status); }
EXPORT int fstatfs64(int fd, void *status) { return fstatfs(fd, status); }
EXPORT int getrlimit64(int resource, uint64_t *limits) { return getrlimit(resource, limits); }
EXPORT int setrlimit64(int resource, const uint64_t *limits) { return setrlimit(resource, limits); }
EXPORT int fallocate64(int fd, int mode, long at, long size) { return fallocate(fd, mode, at, size); }
EXPORT int posix_fallocate64(int fd, long at, long size) { return posix_fallocate(fd, at, size); }
EXPORT int lockf64(int fd, int operation, long size) { return lockf(fd, operation, size); }
EXPORT pointer readdir64(void *folder) { return readdir(folder); }
EXPORT mapping mmap64(void *at, size_t size, int access, int flags, int fd, long offset) {
  return mmap(at, size, access, flags, fd, offset);
}
EXPORT long preadv64(int fd, const struct iovec_ *vector, int count, long at) { return preadv(fd, vector, count, at); }
EXPORT long pwritev64(int fd, const struct iovec_ *vector, int count, long at) {
  return pwritev(fd, vector, count, at);
}
EXPORT long __pread_chk(int fd, void *buffer, size_t size, long at, size_t room) {
  return (void)room, pread(fd, buffer, size, at);
}
EXPORT long __pread64_chk(int fd, void *buffer, size_t size, long at, size_t room) {
  return (void)room, pread(fd, buffer, size, at);
}
EXPORT long __readlink_chk(const char *path, char *buffer, size_t size, size_t room) {
  return (void)room, readlink(path, buffer, size);
}
EXPORT long __readlinkat_chk(int fd, const char *path, char *buffer, size_t size, size_t room) {
  return (void)room, readlinkat(fd, path, buffer, size);
}
EXPORT pointer __getcwd_chk(char *buffer, size_t size, size_t room) { return (void)room, getcwd(buffer, size); }
EXPORT int __openat_2(int fd, const char *path, int flags) { return openat(fd, path, flags, 0); }
EXPORT int __openat64_2(int fd, const char *path, int flags) { return openat(fd, path, flags, 0); }
EXPORT int open64(const char *path, int flags, unsigned mode) { return open(path, flags, mode); }
EXPORT int openat64(int fd, const char *path, int flags, unsigned mode) { return openat(fd, path, flags, mode); }
EXPORT int creat64(const char *path, unsigned mode) { return creat(path, mode); }
EXPORT int __open_2(const char *path, int flags) { return open(path, flags, 0); }
EXPORT int __open64_2(const char *path, int flags) { return open(path, flags, 0); }
EXPORT long pread64(int fd, void *buffer, size_t size, long at) { return pread(fd, buffer, size, at); }
EXPORT long pwrite64(int fd, const void *buffer, size_t size, long at) { return pwrite(fd, buffer, size, at); }
EXPORT long lseek64(int fd, long to, int from) { return lseek(fd, to, from); }
EXPORT int ftruncate64(int fd, long size) { return ftruncate(fd, size); }
EXPORT int truncate64(const char *path, long size) { return truncate(path, size); }
EXPORT pointer fopen64(const char *path, const char *mode) { return fopen(path, mode); }
EXPORT int mkstemp64(char *template) { return mkstemp(template); }

/* ---- memory --------------------------------------------------------------------------------- */

/* The C library allocates for itself, too, and that is not counted: only calls from elsewhere are. */
static struct range library[8];
static int library_parts;

struct object {
  uintptr_t base;
  const char *name;
  const uint32_t *headers; /* program headers, of 56 bytes each */
  uint16_t count;
};

static const char *last_part(const char *path) {
  const char *last = path;
  for (; *path; path++)
    if (*path == '/')
      last = path + 1;
  return last;
}

static int visit(const struct object *object, size_t size, void *unused) {
  (void)size, (void)unused;
  const char *name = last_part(object->name ? object->name : "");
  int is_library = after_prefix(name, "libc.") || after_prefix(name, "libc-") || after_prefix(name, "ld-") ||
                   after_prefix(name, "everett-replay");
  for (unsigned i = 0; is_library && i < object->count && library_parts < 8; i++) {
    struct {
      uint32_t kind, flags;
      uint64_t offset, address, physical, file_size, size, alignment;
    } header;
    memcpy(&header, (const char *)object->headers + 56 * i, sizeof header);
    enum { LOADED = 1, EXECUTABLE = 1 };
    if (header.kind == LOADED && header.flags & EXECUTABLE) {
      uintptr_t start = object->base + header.address;
      library[library_parts++] = (struct range){start, start + header.size};
    }
  }
  return 0;
}

int dl_iterate_phdr(int (*visit)(const struct object *, size_t, void *), void *of);

void find_library(void) { dl_iterate_phdr(visit, NULL); }

static const struct range *part_with(const void *code) {
  for (int i = 0; i < library_parts; i++)
    if ((uintptr_t)code >= library[i].start && (uintptr_t)code < library[i].end)
      return &library[i];
  return NULL;
}

int from_library(const void *caller) { return part_with(caller) != NULL || !replaying(); }

struct range own_code(void) {
  const struct range *own = part_with((const void *)own_code);
  return own ? *own : (struct range){0, 0};
}

#define MEMORY(name, parameters, arguments)                                     \
  EXPORT pointer name parameters {                                              \
    const event *e =                                                            \
        from_library(__builtin_return_address(0)) ? NULL : turn_local(EVERETT_API_##name); \
    if (!e)                                                                     \
      return REAL(name) arguments;                                              \
    note(e);                                                                    \
    return NULL;                                                                \
  }

MEMORY(malloc, (size_t size), (size))
MEMORY(realloc, (void *old, size_t size), (old, size))
MEMORY(reallocarray, (void *old, size_t count, size_t size), (old, count, size))
MEMORY(aligned_alloc, (size_t alignment, size_t size), (alignment, size))
MEMORY(memalign, (size_t alignment, size_t size), (alignment, size))
MEMORY(valloc, (size_t size), (size))
MEMORY(strdup, (const char *text), (text))
MEMORY(strndup, (const char *text, size_t size), (text, size))

/* Older loaders look for their functions with calloc: memory for them comes from here. */
EXPORT pointer calloc(size_t count, size_t size) {
  static pointer (*real)(size_t, size_t);
  static int looking;
  static _Alignas(16) char early[4096];
  static size_t used;
  if (!real && !looking) {
    looking = 1;
    real = (pointer(*)(size_t, size_t))dlsym(RTLD_NEXT_, "calloc");
    looking = 0;
  }
  if (!real) {
    size_t wanted = (count * size + 15) & ~(size_t)15;
    used += wanted;
    return used <= sizeof early ? early + used - wanted : NULL;
  }
  const event *e = from_library(__builtin_return_address(0)) ? NULL : turn_local(EVERETT_API_calloc);
  if (!e)
    return real(count, size);
  note(e);
  return NULL;
}

/* What becomes of the text is not said if there is no memory for it. */
EXPORT int vasprintf(char **to, const char *format, va_list list) {
  const event *e = from_library(__builtin_return_address(0)) ? NULL : turn_local(EVERETT_API_vasprintf);
  if (!e)
    return REAL(vasprintf)(to, format, list);
  note(e);
  return -1;
}

EXPORT int asprintf(char **to, const char *format, ...) {
  const event *e = from_library(__builtin_return_address(0)) ? NULL : turn_local(EVERETT_API_asprintf);
  va_list list;
  va_start(list, format);
  int result = e ? -1 : REAL(vasprintf)(to, format, list);
  va_end(list);
  if (e)
    note(e);
  return result;
}

EXPORT int __vasprintf_chk(char **to, int flag, const char *format, va_list list) {
  const event *e = turn_local(EVERETT_API_vasprintf);
  if (!e)
    return REAL(__vasprintf_chk)(to, flag, format, list);
  note(e);
  return -1;
}

EXPORT int __asprintf_chk(char **to, int flag, const char *format, ...) {
  const event *e = turn_local(EVERETT_API_asprintf);
  va_list list;
  va_start(list, format);
  int result = e ? -1 : REAL(__vasprintf_chk)(to, flag, format, list);
  va_end(list);
  if (e)
    note(e);
  return result;
}

EXPORT int posix_memalign(void **to, size_t alignment, size_t size) {
  const event *e = from_library(__builtin_return_address(0)) ? NULL : turn_local(EVERETT_API_posix_memalign);
  if (!e)
    return REAL(posix_memalign)(to, alignment, size);
  int error = e->error != 0 ? e->error : E_NOMEM;
  note(e);
  return error;
}
