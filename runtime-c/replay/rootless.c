/* A root of its own for a node where neither namespaces nor chroot are permitted.
 *
 * System calls that name files, or tell who and where the program is, are caught (seccomp, SIGSYS), whoever
 * makes them, and made again with a name below the folder that is the node's root. Links with absolute targets
 * have the folder in their targets; replay.sh sees to those that are there at the start. /proc and /dev are
 * those of the machine.
 *
 * A program that is executed has no handler yet, so nothing can be executed; the conductor sees to that. */
#include "turn.h"

enum { PATH_BYTES = 4096, SIGSYS_ = 31, HERE = -100 };

/* A system call that names files: which arguments are names, and descriptors that these are relative to. */
struct path_call {
  uint16_t number;
  int8_t path, folder; /* -1: none */
  int8_t other, other_folder;
};

static const struct path_call path_calls[] = {
    {2, 0, -1, -1, -1} /* open */,         {4, 0, -1, -1, -1} /* stat */,
    {6, 0, -1, -1, -1} /* lstat */,        {21, 0, -1, -1, -1} /* access */,
    {76, 0, -1, -1, -1} /* truncate */,    {80, 0, -1, -1, -1} /* chdir */,
    {82, 0, -1, 1, -1} /* rename */,       {83, 0, -1, -1, -1} /* mkdir */,
    {84, 0, -1, -1, -1} /* rmdir */,       {85, 0, -1, -1, -1} /* creat */,
    {86, 0, -1, 1, -1} /* link */,         {87, 0, -1, -1, -1} /* unlink */,
    {88, 1, -1, -1, -1} /* symlink */,     {89, 0, -1, -1, -1} /* readlink */,
    {90, 0, -1, -1, -1} /* chmod */,       {92, 0, -1, -1, -1} /* chown */,
    {94, 0, -1, -1, -1} /* lchown */,      {132, 0, -1, -1, -1} /* utime */,
    {133, 0, -1, -1, -1} /* mknod */,      {137, 0, -1, -1, -1} /* statfs */,
    {235, 0, -1, -1, -1} /* utimes */,     {254, 1, -1, -1, -1} /* inotify_add_watch */,
    {257, 1, 0, -1, -1} /* openat */,      {258, 1, 0, -1, -1} /* mkdirat */,
    {259, 1, 0, -1, -1} /* mknodat */,     {260, 1, 0, -1, -1} /* fchownat */,
    {261, 1, 0, -1, -1} /* futimesat */,   {262, 1, 0, -1, -1} /* newfstatat */,
    {263, 1, 0, -1, -1} /* unlinkat */,    {264, 1, 0, 3, 2} /* renameat */,
    {265, 1, 0, 3, 2} /* linkat */,        {266, 2, 1, -1, -1} /* symlinkat */,
    {267, 1, 0, -1, -1} /* readlinkat */,  {268, 1, 0, -1, -1} /* fchmodat */,
    {269, 1, 0, -1, -1} /* faccessat */,   {280, 1, 0, -1, -1} /* utimensat */,
    {316, 1, 0, 3, 2} /* renameat2 */,     {332, 1, 0, -1, -1} /* statx */,
    {437, 1, 0, -1, -1} /* openat2 */,     {439, 1, 0, -1, -1} /* faccessat2 */,
    {452, 1, 0, -1, -1} /* fchmodat2 */,
};
enum { PATH_CALLS = sizeof path_calls / sizeof path_calls[0] };

/* Others that are caught. */
enum {
  OTHER_sigaction = 13,
  OTHER_sigprocmask = 14,
  OTHER_connect = 42,
  OTHER_bind = 49,
  OTHER_uname = 63,
  OTHER_getcwd = 79,
  OTHER_symlink = 88,
  OTHER_readlink = 89,
  OTHER_getuid = 102,
  OTHER_getgid = 104,
  OTHER_geteuid = 107,
  OTHER_getegid = 108,
  OTHER_symlinkat = 266,
  OTHER_readlinkat = 267,
};
static const uint16_t other_calls[] = {OTHER_sigaction, OTHER_sigprocmask, OTHER_connect, OTHER_bind,
                                       OTHER_uname,     OTHER_getcwd,      OTHER_getuid,  OTHER_getgid,
                                       OTHER_geteuid,   OTHER_getegid};
enum { OTHER_CALLS = sizeof other_calls / sizeof other_calls[0] };

static struct {
  const char *folder; /* that the node sees as its root */
  size_t folder_bytes;
  char hostname[65];
  uint32_t uid, gid;
} own;

/* The only place whose system calls are not caught. */
long rootless_call(long number, long a, long b, long c, long d, long e, long f);
extern const char rootless_called[];
__asm__(".text\n"
        ".hidden rootless_call\n.hidden rootless_called\n.hidden rootless_return\n"
        ".globl rootless_call\n.globl rootless_called\n.globl rootless_return\n"
        "rootless_call:\n"
        "  mov %rdi, %rax\n  mov %rsi, %rdi\n  mov %rdx, %rsi\n  mov %rcx, %rdx\n"
        "  mov %r8, %r10\n  mov %r9, %r8\n  mov 8(%rsp), %r9\n  syscall\n"
        "rootless_called:\n"
        "  ret\n"
        "rootless_return:\n"
        "  mov $15, %eax\n  syscall\n");
void rootless_return(void);

/* ---- names ---------------------------------------------------------------------------------- */

static int begins_below(const char *path, const char *folder) {
  const char *rest = after_prefix(path, folder);
  return rest && (*rest == 0 || *rest == '/');
}

/* True if a part of the path is `..`. */
static int goes_up(const char *path) {
  for (; *path; path++)
    if (path[0] == '.' && path[1] == '.' && (path[2] == 0 || path[2] == '/'))
      return 1;
  return 0;
}

/* Adds the parts of a path to one that ends below the node's root; `..` never leads out of it. */
static size_t add_parts(char *to, size_t used, const char *path) {
  while (*path) {
    size_t part = 0;
    while (path[part] && path[part] != '/')
      part++;
    int is_up = part == 2 && path[0] == '.' && path[1] == '.';
    if (is_up) {
      while (used > own.folder_bytes && to[--used] != '/')
        continue;
    } else if (part > 0 && used + part + 2 < PATH_BYTES) {
      to[used++] = '/';
      memcpy(to + used, path, part);
      used += part;
    }
    path += part;
    /* A slash at the end says that it is a folder. */
    if (path[0] == '/' && path[1] == 0 && used + 2 < PATH_BYTES)
      to[used++] = '/';
    while (*path == '/')
      path++;
  }
  to[used] = 0;
  return used;
}

/* The path of an open folder; its length, or something negative. */
static long path_of(int folder, char *buffer) {
  if (folder == HERE)
    return rootless_call(OTHER_getcwd, (long)buffer, PATH_BYTES, 0, 0, 0, 0) - 1;
  char name[32];
  struct text text = {name, sizeof name, 0};
  text_put(&text, "/proc/self/fd/%d", (int64_t)folder);
  long size = rootless_call(OTHER_readlink, (long)name, (long)buffer, PATH_BYTES - 1, 0, 0, 0);
  if (size > 0)
    buffer[size] = 0;
  return size;
}

/* What a name stands for, in the buffer unless that is itself. */
static const char *resolved(const char *path, long folder, char *buffer) {
  if (!path)
    return path;
  if (*path != '/') {
    /* It stays below the folder by itself, unless it goes up. */
    long size = goes_up(path) ? path_of((int)folder, buffer) : -1;
    if (size <= 0 || !begins_below(buffer, own.folder))
      return path;
    add_parts(buffer, (size_t)size, path);
    return buffer;
  }
  if (begins_below(path, "/proc") || begins_below(path, "/dev") || begins_below(path, own.folder))
    return path;
  memcpy(buffer, own.folder, own.folder_bytes);
  add_parts(buffer, own.folder_bytes, path);
  return buffer;
}

/* Takes the node's root off the beginning of a path of so many bytes; how many are left. */
static long shortened(char *path, long bytes) {
  if (bytes < (long)own.folder_bytes || memcmp(path, own.folder, own.folder_bytes) != 0)
    return bytes;
  long left = bytes - (long)own.folder_bytes;
  if (left > 0 && path[own.folder_bytes] != '/' && path[own.folder_bytes] != 0)
    return bytes;
  memmove(path, path + own.folder_bytes, (size_t)left);
  if (left == 0 || *path == 0) {
    /* The root itself. */
    path[0] = '/';
    left++;
    if (left > 1)
      path[1] = 0;
  }
  return left;
}

/* ---- calls ---------------------------------------------------------------------------------- */

static long call_with_names(const struct path_call *call, long number, long *a) {
  char first[PATH_BYTES], second[PATH_BYTES];
  a[call->path] = (long)resolved((const char *)a[call->path], call->folder < 0 ? HERE : a[call->folder], first);
  if (call->other >= 0)
    a[call->other] =
        (long)resolved((const char *)a[call->other], call->other_folder < 0 ? HERE : a[call->other_folder], second);
  const char *target = (const char *)a[0];
  if ((number == OTHER_symlink || number == OTHER_symlinkat) && target && *target == '/')
    a[0] = (long)resolved(target, HERE, second);
  long result = rootless_call(number, a[0], a[1], a[2], a[3], a[4], a[5]);
  if (number == OTHER_readlink || number == OTHER_readlinkat)
    result = shortened((char *)a[number == OTHER_readlink ? 1 : 2], result);
  return result;
}

/* A socket of the UNIX kind may be named like a file. */
static long call_with_address(long number, long *a) {
  struct {
    uint16_t family;
    char path[108];
  } to;
  const uint16_t *given = (const uint16_t *)a[1];
  enum { NAME_TOO_LONG = 36 };
  if (given && a[2] > 2 && a[2] <= (long)sizeof to && *given == AF_UNIX_ && *(const char *)(given + 1) == '/') {
    char name[sizeof to], buffer[PATH_BYTES];
    memset(name, 0, sizeof name);
    memcpy(name, given + 1, (size_t)a[2] - 2);
    const char *path = resolved(name, HERE, buffer);
    size_t bytes = length_of(path) + 1;
    if (bytes > sizeof to.path)
      return -NAME_TOO_LONG;
    to.family = AF_UNIX_;
    memcpy(to.path, path, bytes);
    return rootless_call(number, a[0], (long)&to, (long)(2 + bytes), 0, 0, 0);
  }
  return rootless_call(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

/* The mask that the thread has when the handler is left. The signal of caught calls is never in it. */
static long change_mask(uint64_t *mask, const long *a) {
  enum { BLOCK = 0, UNBLOCK = 1, SET = 2 };
  uint64_t before = *mask;
  const uint64_t *given = (const uint64_t *)a[1];
  if (given && (a[0] < BLOCK || a[0] > SET))
    return -E_INVAL;
  if (given)
    *mask = a[0] == BLOCK ? before | *given : a[0] == UNBLOCK ? before & ~*given : *given;
  *mask &= ~((uint64_t)1 << (SIGSYS_ - 1));
  if (a[2])
    *(uint64_t *)a[2] = before;
  return 0;
}

static long other_call(long number, long *a, uint64_t *mask) {
  long result;
  switch (number) {
  case OTHER_sigprocmask:
    return change_mask(mask, a);
  case OTHER_sigaction:
    if (a[0] == SIGSYS_)
      return 0;
    break;
  case OTHER_connect:
  case OTHER_bind:
    return call_with_address(number, a);
  case OTHER_getcwd:
    result = rootless_call(number, a[0], a[1], 0, 0, 0, 0);
    return result > 0 ? shortened((char *)a[0], result) : result;
  case OTHER_uname:
    /* The second of six texts of 65 bytes. */
    result = rootless_call(number, a[0], 0, 0, 0, 0, 0);
    if (result == 0)
      memcpy((char *)a[0] + 65, own.hostname, sizeof own.hostname);
    return result;
  case OTHER_getuid:
  case OTHER_geteuid:
    return own.uid;
  case OTHER_getgid:
  case OTHER_getegid:
    return own.gid;
  }
  return rootless_call(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

/* What the kernel hands to a handler, as far as it is looked at. */
struct caught {
  int32_t signal, error, code, padding;
  void *at;
  int32_t number;
};

struct context {
  uint64_t flags, link, stack[3];
  long r8, r9, r10, r11, r12, r13, r14, r15, rdi, rsi, rbp, rbx, rdx, rax, rcx, rsp, rip, others[6];
  uint64_t floating, reserved[8];
  uint64_t mask;
};
_Static_assert(offsetof(struct context, mask) == 296, "layout");

static void handle(int signal, const struct caught *caught, struct context *context) {
  enum { WITHIN_STDIO = 2 /* SYS_USER_DISPATCH */ };
  (void)signal;
  if (caught->code == WITHIN_STDIO) {
    stdio_call(context);
    return;
  }
  long a[6] = {context->rdi, context->rsi, context->rdx, context->r10, context->r8, context->r9};
  for (int i = 0; i < PATH_CALLS; i++)
    if (path_calls[i].number == caught->number) {
      context->rax = call_with_names(&path_calls[i], caught->number, a);
      return;
    }
  context->rax = other_call(caught->number, a, &context->mask);
}

/* ---- catching ------------------------------------------------------------------------------- */

struct instruction {
  uint16_t code;
  uint8_t if_true, if_false;
  uint32_t value;
};

enum { LOAD_WORD = 0x20, JUMP_IF_EQUAL = 0x15, RETURN = 0x06 };
enum { AT_NUMBER = 0, AT_PLACE = 8 };
#define ALLOW 0x7fff0000u
#define TRAP 0x00030000u

static long catch_calls(void) {
  struct instruction program[2 + 2 * (PATH_CALLS + OTHER_CALLS) + 8];
  uint16_t size = 0;
  uint64_t place = (uint64_t)rootless_called;
  /* From our own place everything is allowed. */
  program[size++] = (struct instruction){LOAD_WORD, 0, 0, AT_PLACE};
  program[size++] = (struct instruction){JUMP_IF_EQUAL, 0, 3, (uint32_t)place};
  program[size++] = (struct instruction){LOAD_WORD, 0, 0, AT_PLACE + 4};
  program[size++] = (struct instruction){JUMP_IF_EQUAL, 0, 1, (uint32_t)(place >> 32)};
  program[size++] = (struct instruction){RETURN, 0, 0, ALLOW};
  program[size++] = (struct instruction){LOAD_WORD, 0, 0, AT_NUMBER};
  for (int i = 0; i < PATH_CALLS + OTHER_CALLS; i++) {
    uint32_t number = i < PATH_CALLS ? path_calls[i].number : other_calls[i - PATH_CALLS];
    program[size++] = (struct instruction){JUMP_IF_EQUAL, 0, 1, number};
    program[size++] = (struct instruction){RETURN, 0, 0, TRAP};
  }
  program[size++] = (struct instruction){RETURN, 0, 0, ALLOW};
  struct {
    uint16_t size;
    struct instruction *program;
  } filter = {size, program};
  enum { NO_NEW_PRIVILEGES = 38, SECCOMP = 317, FILTER = 1 };
  SYSTEM(prctl, NO_NEW_PRIVILEGES, 1);
  return system_call(SECCOMP, FILTER, 0, (long)&filter, 0, 0, 0);
}

static uint32_t take_number(const char **text) {
  uint32_t number = 0;
  for (; **text >= '0' && **text <= '9'; ++*text)
    number = number * 10 + (uint32_t)(**text - '0');
  *text += **text == ':';
  return number;
}

/* UID:GID:HOSTNAME:FOLDER */
void rootless_begin(const char *text) {
  own.uid = take_number(&text);
  own.gid = take_number(&text);
  size_t i = 0;
  for (; *text && *text != ':'; text++)
    if (i < sizeof own.hostname - 1)
      own.hostname[i++] = *text;
  own.folder = *text ? text + 1 : text;
  own.folder_bytes = length_of(own.folder);
  enum { WITH_CONTEXT = 4, HAS_RETURN = 0x4000000, AGAIN_WITHIN = 0x40000000 };
  struct {
    void (*handler)(int, const struct caught *, struct context *);
    uint64_t flags;
    void (*back)(void);
    uint64_t mask;
  } action = {handle, WITH_CONTEXT | HAS_RETURN | AGAIN_WITHIN, rootless_return, 0};
  SYSTEM(rt_sigaction, SIGSYS_, &action, 0, 8);
  if (catch_calls() != 0) {
    static const char why[] = "everett: system calls cannot be caught (seccomp)\n";
    SYSTEM(write, 2, why, sizeof why - 1);
    SYSTEM(exit_group, 127);
  }
}
