/* Functions of stdio. They just happen, and are counted together; a system call within one of them may fail or
 * come short, as it did in the script. Those of standard streams that are pipes or sockets, and of dprintf, are
 * events themselves.
 *
 * The C library makes its system calls by itself, where nobody can be put in between. So for the time of a function
 * that has such an event, the kernel is asked to tell of each system call instead of carrying it out
 * (PR_SET_SYSCALL_USER_DISPATCH): all but those of this library, which carries out what is not to fail. Where another
 * handler of the same signal has to stay (rootless.c), that one calls stdio_call. */
#include "sockets/socket.h"

typedef void *pointer;

enum { CALLS_MAX = 512 };
enum { CALL_open_at = 257, CALL_dup_3 = 292 };
enum { SIGSYS_ = 31, UNBLOCK = 1, SET_MASK = 2 };
enum { SET_DISPATCH = 59, DISPATCH_OFF = 0, DISPATCH_ON = 1, LET_THROUGH = 0, TELL = 1 };

/* The function that runs now, if something within it fails. */
static __thread struct {
  const event *next; /* NULL: the rest succeeds */
  int through;       /* calls may be events themselves */
  char telling;      /* read by the kernel */
  uint32_t calls[CALLS_MAX];
} within;

/* The call that stands for others that do the same, as in scripts. */
static long class_of(long number) {
  switch (number) {
  case CALL_readv: return CALL_read;
  case CALL_writev: return CALL_write;
  case CALL_open: return CALL_open_at;
  case CALL_dup2: return CALL_dup_3;
  default: return number;
  }
}

/* Registers in a ucontext_t. */
enum { R8 = 0, R9 = 1, R10 = 2, RDI = 8, RSI = 9, RDX = 12, RAX = 13 };
struct context {
  uint64_t flags;
  void *link;
  uint64_t stack[3];
  long registers[23];
};

/* Reads or writes fewer bytes than are asked for. */
static long come_short(long number, const long *with, int64_t bytes) {
  enum { PIECES_MAX = 16 };
  struct iovec_ pieces[PIECES_MAX], whole = {(void *)with[RSI], (size_t)with[RDX]};
  int is_list = number == CALL_readv || number == CALL_writev;
  const struct iovec_ *vector = is_list ? (const struct iovec_ *)with[RSI] : &whole;
  int count = first_bytes(pieces, PIECES_MAX, vector, is_list ? (int)with[RDX] : 1, bytes);
  return class_of(number) == CALL_read ? SYSTEM(readv, with[RDI], pieces, count)
                                       : SYSTEM(writev, with[RDI], pieces, count);
}

/* Carries a call out as an event of its own. What it waits for may run handlers of the program. */
static long pass_through(long number, const long *with) {
  struct iovec_ whole = {(void *)with[RSI], (size_t)with[RDX]};
  int is_list = number == CALL_readv || number == CALL_writev, fd = (int)with[RDI];
  struct msghdr_ message = {.vector = is_list ? (struct iovec_ *)with[RSI] : &whole,
                            .vector_length = is_list ? (int)with[RDX] : 1};
  int reads = class_of(number) == CALL_read, is_standard = fd < STANDARD_STREAMS;
  long result;
  within.telling = LET_THROUGH;
  if (number == CALL_close) {
    const event *e = turn_take_any(is_through, "fclose");
    result = e->error != 0 ? failed(e->error) : 0;
    descriptor_gone(fd);
    SYSTEM(close, fd);
    turn_pass(e);
  } else if (is_standard) {
    result = reads ? standard_read(fd, message.vector, message.vector_length)
                   : standard_write(fd, message.vector, message.vector_length);
  } else {
    const event *e = turn_take_any(is_through, "dprintf");
    result = reads ? receive_event(e, fd, &message, 0) : transmit_event(e, fd, &message, 0);
  }
  within.telling = TELL;
  return result < 0 ? -*__errno_location() : result;
}

static int is_event(long class, int fd) {
  int transfers = class == CALL_read || class == CALL_write;
  if (!within.through || (!transfers && class != CALL_close))
    return 0;
  unsigned api = class == CALL_read ? EVERETT_API_read : class == CALL_write ? EVERETT_API_write : EVERETT_API_close;
  const event *e = turn_through();
  return (transfers && standard_has_more(fd)) || (e && e->fd == fd && e->api == api);
}

void stdio_call(void *context) {
  long *with = ((struct context *)context)->registers, number = with[RAX], class = class_of(number);
  const event *e = within.next;
  if (is_event(class, (int)with[RDI])) {
    with[RAX] = pass_through(number, with);
    return;
  }
  uint32_t call = class >= 0 && class < CALLS_MAX ? ++within.calls[class] : 0;
  if (!e || (long)e->aux[0] != class || e->aux[1] != call) {
    with[RAX] = system_call(number, with[RDI], with[RSI], with[RDX], with[R10], with[R8], with[R9]);
    return;
  }
  int transfers = class == CALL_read || class == CALL_write;
  with[RAX] = e->error != 0 ? -e->error : transfers ? come_short(number, with, e->result) : (long)e->result;
  within.next = turn_stdio_next(e);
}

static void told(int signal, void *details, void *context) {
  (void)signal, (void)details;
  stdio_call(context);
}

/* The code that a handler returns to. */
__asm__(".pushsection .text\n"
        "handler_is_over:\n"
        "  mov $15, %eax\n"
        "  syscall\n"
        ".popsection\n");
void handler_is_over(void) __attribute__((visibility("hidden")));

/* A handler as the kernel knows it. */
struct handler {
  void (*function)(int signal, void *details, void *context);
  uint64_t flags;
  void (*restorer)(void);
  uint64_t mask;
};

/* A call of one of the functions. */
struct call_of_stdio {
  unsigned api; /* 0: nothing happens to it */
  struct handler handler;
  uint64_t mask;
};

/* True if a system call within the function that begins may be an event itself. */
static int has_events(void) {
  const event *e = turn_through();
  int has_more = 0;
  for (int fd = 0; fd < STANDARD_STREAMS; fd++)
    has_more |= standard_has_more(fd);
  return has_more || (e && !is_stream(e->fd));
}

static struct call_of_stdio begin(const void *caller) {
  enum { WITH_DETAILS = 4, WITH_RESTORER = 0x4000000 };
  struct call_of_stdio call = {.api = 0};
  const event *e = from_library(caller) ? NULL : turn_stdio();
  int through = !e && !from_library(caller) && has_events();
  if (!e && !through)
    return call;
  call.api = e ? e->api : EVERETT_API_fflush;
  struct handler own = {told, WITH_DETAILS | WITH_RESTORER, handler_is_over, 0};
  uint64_t mask = (uint64_t)1 << (SIGSYS_ - 1);
  SYSTEM(rt_sigaction, SIGSYS_, &own, &call.handler, 8);
  SYSTEM(rt_sigprocmask, UNBLOCK, &mask, &call.mask, 8);
  memset(&within, 0, sizeof within);
  within.next = e;
  within.through = through;
  struct range code = own_code();
  if (SYSTEM(prctl, SET_DISPATCH, DISPATCH_ON, code.start, code.end - code.start, &within.telling) != 0)
    turn_diverge("a system call within a function of stdio has to be caught, which needs Linux 5.11");
  within.telling = TELL;
  return call;
}

static void end(const struct call_of_stdio *call) {
  if (call->api == 0)
    return;
  within.telling = LET_THROUGH;
  SYSTEM(prctl, SET_DISPATCH, DISPATCH_OFF, 0, 0, 0);
  SYSTEM(rt_sigprocmask, SET_MASK, &call->mask, NULL, 8);
  SYSTEM(rt_sigaction, SIGSYS_, &call->handler, NULL, 8);
  if (within.next)
    turn_diverge("%s does not make the system call that is to fail (number %u)", api_name(call->api),
                 within.next->aux[0]);
  turn_settle();
}

#define STDIO(type, name, parameters, arguments)                       \
  EXPORT type name parameters {                                        \
    struct call_of_stdio call = begin(__builtin_return_address(0));    \
    type result = REAL(name) arguments;                                \
    end(&call);                                                        \
    return result;                                                     \
  }
#define STDIO_SILENT(name, parameters, arguments)                      \
  EXPORT void name parameters {                                        \
    struct call_of_stdio call = begin(__builtin_return_address(0));    \
    REAL(name) arguments;                                              \
    end(&call);                                                        \
  }
/* A function that takes any number of arguments, carried out by one that takes a list of them. */
#define STDIO_LISTED(name, real, parameters, arguments)                \
  EXPORT int name parameters {                                         \
    struct call_of_stdio call = begin(__builtin_return_address(0));    \
    va_list list;                                                      \
    va_start(list, format);                                            \
    int result = REAL(real) arguments;                                 \
    va_end(list);                                                      \
    end(&call);                                                        \
    return result;                                                     \
  }

STDIO(pointer, freopen, (const char *path, const char *mode, void *file), (path, mode, file))
STDIO(pointer, freopen64, (const char *path, const char *mode, void *file), (path, mode, file))
STDIO(int, fclose, (void *file), (file))
STDIO(int, fflush, (void *file), (file))
STDIO(int, fflush_unlocked, (void *file), (file))
STDIO(size_t, fread, (void *to, size_t size, size_t count, void *file), (to, size, count, file))
STDIO(size_t, fread_unlocked, (void *to, size_t size, size_t count, void *file), (to, size, count, file))
STDIO(size_t, __fread_chk, (void *to, size_t room, size_t size, size_t count, void *file),
      (to, room, size, count, file))
STDIO(size_t, fwrite, (const void *from, size_t size, size_t count, void *file), (from, size, count, file))
STDIO(size_t, fwrite_unlocked, (const void *from, size_t size, size_t count, void *file), (from, size, count, file))
STDIO(pointer, fgets, (char *to, int size, void *file), (to, size, file))
STDIO(pointer, fgets_unlocked, (char *to, int size, void *file), (to, size, file))
STDIO(pointer, __fgets_chk, (char *to, size_t room, int size, void *file), (to, room, size, file))
STDIO(int, fgetc, (void *file), (file))
STDIO(int, getc, (void *file), (file))
STDIO(int, fgetc_unlocked, (void *file), (file))
STDIO(int, getc_unlocked, (void *file), (file))
STDIO(int, getchar, (void), ())
STDIO(int, getchar_unlocked, (void), ())
STDIO(long, getline, (char **line, size_t *size, void *file), (line, size, file))
STDIO(long, getdelim, (char **line, size_t *size, int end_of_line, void *file), (line, size, end_of_line, file))
STDIO(int, fputs, (const char *text, void *file), (text, file))
STDIO(int, fputs_unlocked, (const char *text, void *file), (text, file))
STDIO(int, fputc, (int byte, void *file), (byte, file))
STDIO(int, putc, (int byte, void *file), (byte, file))
STDIO(int, fputc_unlocked, (int byte, void *file), (byte, file))
STDIO(int, putc_unlocked, (int byte, void *file), (byte, file))
STDIO(int, putchar, (int byte), (byte))
STDIO(int, putchar_unlocked, (int byte), (byte))
STDIO(int, puts, (const char *text), (text))
STDIO(int, fseek, (void *file, long to, int from), (file, to, from))
STDIO(int, fseeko, (void *file, long to, int from), (file, to, from))
STDIO(int, fseeko64, (void *file, long to, int from), (file, to, from))
STDIO(long, ftell, (void *file), (file))
STDIO(long, ftello, (void *file), (file))
STDIO(long, ftello64, (void *file), (file))

STDIO(int, vfprintf, (void *file, const char *format, va_list list), (file, format, list))
STDIO(int, vprintf, (const char *format, va_list list), (format, list))
STDIO(int, vdprintf, (int fd, const char *format, va_list list), (fd, format, list))
STDIO(int, __vfprintf_chk, (void *file, int flag, const char *format, va_list list), (file, flag, format, list))
STDIO(int, __vprintf_chk, (int flag, const char *format, va_list list), (flag, format, list))
STDIO(int, __vdprintf_chk, (int fd, int flag, const char *format, va_list list), (fd, flag, format, list))
STDIO_LISTED(fprintf, vfprintf, (void *file, const char *format, ...), (file, format, list))
STDIO_LISTED(printf, vprintf, (const char *format, ...), (format, list))
STDIO_LISTED(dprintf, vdprintf, (int fd, const char *format, ...), (fd, format, list))
STDIO_LISTED(__fprintf_chk, __vfprintf_chk, (void *file, int flag, const char *format, ...),
             (file, flag, format, list))
STDIO_LISTED(__printf_chk, __vprintf_chk, (int flag, const char *format, ...), (flag, format, list))
STDIO_LISTED(__dprintf_chk, __vdprintf_chk, (int fd, int flag, const char *format, ...), (fd, flag, format, list))

STDIO(int, vfscanf, (void *file, const char *format, va_list list), (file, format, list))
STDIO(int, vscanf, (const char *format, va_list list), (format, list))
STDIO(int, __isoc99_vfscanf, (void *file, const char *format, va_list list), (file, format, list))
STDIO(int, __isoc99_vscanf, (const char *format, va_list list), (format, list))
STDIO(int, __isoc23_vfscanf, (void *file, const char *format, va_list list), (file, format, list))
STDIO(int, __isoc23_vscanf, (const char *format, va_list list), (format, list))
STDIO_LISTED(fscanf, vfscanf, (void *file, const char *format, ...), (file, format, list))
STDIO_LISTED(scanf, vscanf, (const char *format, ...), (format, list))
STDIO_LISTED(__isoc99_fscanf, __isoc99_vfscanf, (void *file, const char *format, ...), (file, format, list))
STDIO_LISTED(__isoc99_scanf, __isoc99_vscanf, (const char *format, ...), (format, list))
STDIO_LISTED(__isoc23_fscanf, __isoc23_vfscanf, (void *file, const char *format, ...), (file, format, list))
STDIO_LISTED(__isoc23_scanf, __isoc23_vscanf, (const char *format, ...), (format, list))

STDIO_SILENT(rewind, (void *file), (file))
STDIO_SILENT(perror, (const char *text), (text))
