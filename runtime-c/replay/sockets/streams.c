/* Streams of stdio on sockets and pipes. What the C library reads and writes for them goes through the
 * functions here, so that it has its turn. */
#include "socket.h"

struct stream {
  void *file;
  int fd;
  int has_shell;        /* popen has made it */
  size_t owed;          /* bytes of the last event that are still to be written */
  unsigned char *ahead; /* bytes of the last event that are still to be read */
  size_t ahead_size;
};

enum { STREAMS_MAX = 256 };
static struct stream streams[STREAMS_MAX];

struct functions {
  long (*read)(void *, char *, size_t);
  long (*write)(void *, const char *, size_t);
  int (*seek)(void *, long *, int);
  int (*close)(void *);
};
void *fopencookie(void *cookie, const char *mode, struct functions functions);

static long stream_read(void *cookie, char *buffer, size_t size) {
  struct stream *of = cookie;
  if (of->ahead_size == 0) {
    const event *e = turn_take_any(is_through, "a function of stdio that reads");
    size_t room = 1 << 16;
    if (!of->ahead)
      of->ahead = fresh_pages(room);
    struct iovec_ vector = {of->ahead, room};
    struct msghdr_ message = {.vector = &vector, .vector_length = 1};
    long got = receive_event(e, of->fd, &message, 0);
    if (got <= 0)
      return got;
    of->ahead_size = (size_t)got;
  }
  size_t part = size < of->ahead_size ? size : of->ahead_size;
  memcpy(buffer, of->ahead, part);
  of->ahead_size -= part;
  memmove(of->ahead, of->ahead + part, of->ahead_size);
  return (long)part;
}

/* Sends bytes of a stream, as long as it takes. */
static void send_all(int fd, const char *bytes, size_t size) {
  uint64_t until = host_time_ns() + patience_ns();
  while (size > 0) {
    struct address name;
    uint32_t room = sizeof name;
    int is_socket = SYSTEM(getsockname, fd, &name, &room) == 0;
    long done = is_socket ? SYSTEM(sendto, fd, bytes, size, MSG_DONTWAIT_ | MSG_NOSIGNAL_, 0, 0)
                          : SYSTEM(write, fd, bytes, size);
    if (done == -E_AGAIN && !wait_ready(fd, POLLOUT_, until))
      turn_diverge("%u bytes of a stream cannot be sent", (uint64_t)size);
    if (done < 0 && done != -E_AGAIN && done != -E_INTR)
      return;
    if (done > 0)
      bytes += done, size -= (size_t)done;
  }
}

static long stream_write(void *cookie, const char *bytes, size_t size) {
  struct stream *of = cookie;
  if (size == 0)
    return 0;
  if (of->owed == 0) {
    const event *e = turn_take_any(is_through, "a function of stdio that writes");
    const event *outcome = e->flags & EVERETT_BLOCKS ? turn_future(e) : e;
    if (outcome && outcome->error == 0)
      of->owed = (size_t)outcome->result;
    size_t part = size < of->owed ? size : of->owed, at = 0;
    if (outcome && outcome->error == 0 && !same_bytes(outcome, (const unsigned char *)bytes, part, &at))
      turn_diverge("it writes other bytes to a stream");
    send_all(of->fd, bytes, outcome ? part : size);
    if (e->flags & EVERETT_BLOCKS)
      e = turn_return(e);
    int error = e->error;
    turn_pass(e);
    of->owed -= part;
    return error != 0 ? failed(error) : (long)part;
  }
  size_t part = size < of->owed ? size : of->owed;
  send_all(of->fd, bytes, part);
  of->owed -= part;
  return (long)part;
}

/* Sends a part of a file: what was sent in the script. */
EXPORT long sendfile(int to, int from, long *at, size_t size) {
  enum { PART = 1 << 14 };
  if (!replaying())
    return answered(SYSTEM(sendfile, to, from, at, size));
  int is_local = !is_outside(to);
  const event *e = is_local ? turn_local(EVERETT_API_sendfile) : turn_take(EVERETT_API_sendfile);
  const event *outcome = e && e->flags & EVERETT_BLOCKS ? turn_future(e) : e;
  if (outcome && outcome->error == 0 && (size_t)outcome->result < size)
    size = (size_t)outcome->result;
  long result = 0;
  if (is_local && !(e && e->error != 0))
    result = answered(SYSTEM(sendfile, to, from, at, size));
  for (size_t done = 0; !is_local && outcome && outcome->error == 0 && done < size;) {
    char part[PART];
    size_t wanted = size - done < PART ? size - done : PART;
    long got = at ? system_call(17, from, (long)part, (long)wanted, *at, 0, 0) : SYSTEM(read, from, part, wanted);
    if (got <= 0)
      turn_diverge("there are fewer bytes to send than %u", (uint64_t)size);
    send_all(to, part, (size_t)got);
    done += (size_t)got;
    if (at)
      *at += got;
  }
  if (!e)
    return result;
  if (e->flags & EVERETT_BLOCKS)
    e = turn_return(e);
  if (e->error != 0 || !is_local)
    result = e->error != 0 ? failed(e->error) : e->result;
  turn_pass(e);
  return result;
}

EXPORT long sendfile64(int to, int from, long *at, size_t size) { return sendfile(to, from, at, size); }

/* Moves what was moved in the script; some of it may still be on its way. */
EXPORT long splice(int from, long *from_at, int to, long *to_at, size_t size, unsigned flags) {
  enum { CALL_splice = 275, WITHOUT_WAITING = 2 };
  if (!replaying())
    return answered(system_call(CALL_splice, from, (long)from_at, to, (long)to_at, (long)size, flags));
  int is_local = !is_outside(from) && !is_outside(to);
  const event *e = is_local ? turn_local(EVERETT_API_splice) : turn_whole(EVERETT_API_splice);
  if (!e)
    return answered(system_call(CALL_splice, from, (long)from_at, to, (long)to_at, (long)size, flags));
  uint64_t until = host_time_ns() + patience_ns();
  for (int64_t left = e->error != 0 ? 0 : e->result; left > 0;) {
    long moved = system_call(CALL_splice, from, (long)from_at, to, (long)to_at, left, flags | WITHOUT_WAITING);
    if (moved > 0)
      left -= moved;
    else if ((moved != -E_AGAIN && moved != -E_INTR) || host_time_ns() >= until)
      turn_diverge("%d bytes cannot be moved: error %d", left, (int64_t)-moved);
    else
      host_sleep_ns(200000);
  }
  long result = e->error != 0 ? failed(e->error) : e->result;
  turn_pass(e);
  return result;
}

static int stream_close(void *cookie) {
  struct stream *of = cookie;
  const event *e = turn_take_any(is_through, "fclose");
  descriptor_gone(of->fd);
  SYSTEM(close, of->fd);
  of->file = NULL;
  int error = e->error;
  turn_pass(e);
  return error != 0 ? (int)failed(error) : 0;
}

EXPORT void *fdopen(int fd, const char *mode) {
  if (!replaying() || !is_outside(fd))
    return REAL(fdopen)(fd, mode);
  for (int i = 0; i < STREAMS_MAX; i++) {
    if (streams[i].file)
      continue;
    streams[i].fd = fd;
    streams[i].has_shell = 0;
    streams[i].owed = streams[i].ahead_size = 0;
    struct functions functions = {stream_read, stream_write, NULL, stream_close};
    return streams[i].file = fopencookie(&streams[i], mode, functions);
  }
  turn_diverge("it has more than %u streams on sockets", (uint64_t)STREAMS_MAX);
}

EXPORT int fileno(void *file) {
  for (int i = 0; i < STREAMS_MAX && replaying(); i++)
    if (streams[i].file == file)
      return streams[i].fd;
  return REAL(fileno)(file);
}

static struct stream standard[STANDARD_STREAMS] = {{.fd = 0}, {.fd = 1}, {.fd = 2}};

int standard_has_more(int fd) {
  return fd >= 0 && fd < STANDARD_STREAMS && (standard[fd].owed > 0 || standard[fd].ahead_size > 0);
}

long standard_read(int fd, const struct iovec_ *vector, int count) {
  long whole = 0;
  for (int i = 0; i < count && (whole == 0 || standard[fd].ahead_size > 0); i++) {
    long got = vector[i].length > 0 ? stream_read(&standard[fd], vector[i].base, vector[i].length) : 0;
    if (got < 0)
      return got;
    if (got == 0 && vector[i].length > 0)
      break;
    whole += got;
  }
  return whole;
}

long standard_write(int fd, const struct iovec_ *vector, int count) {
  long whole = 0;
  for (int i = 0; i < count && (whole == 0 || standard[fd].owed > 0); i++) {
    long done = stream_write(&standard[fd], vector[i].base, vector[i].length);
    if (done < 0)
      return done;
    whole += done;
    if ((size_t)done < vector[i].length)
      break;
  }
  return whole;
}

int is_stream(int fd) {
  for (int i = 0; i < STREAMS_MAX; i++)
    if (streams[i].file && streams[i].fd == fd)
      return 1;
  return 0;
}

int posix_spawn_file_actions_init(void *actions);
int posix_spawn_file_actions_addclose(void *actions, int fd);
int posix_spawn_file_actions_adddup2(void *actions, int fd, int to);
int posix_spawn_file_actions_destroy(void *actions);
extern char **environ;

/* A shell one of whose standard streams is an end of a pipe. It has none of those of other shells. */
static int spawn_shell(const char *command, int end, int standard) {
  uint64_t actions[16]; /* both libraries' type is smaller */
  const char *arguments[] = {"sh", "-c", command, NULL};
  posix_spawn_file_actions_init(actions);
  for (int i = 0; i < STREAMS_MAX; i++)
    if (streams[i].file && streams[i].has_shell)
      posix_spawn_file_actions_addclose(actions, streams[i].fd);
  posix_spawn_file_actions_adddup2(actions, end, standard);
  int error = spawned(EVERETT_API_popen, REAL(posix_spawn), NULL, "/bin/sh", actions, NULL,
                      (char *const *)arguments, environ);
  posix_spawn_file_actions_destroy(actions);
  return error;
}

/* It makes two pipes in the script: its own, and that of posix_spawn. */
EXPORT void *popen(const char *command, const char *mode) {
  int own = *mode == 'w', ends[2], close_on_exec = 0;
  if (!replaying())
    return REAL(popen)(command, mode);
  if (!own && *mode != 'r')
    return failed(E_INVAL), NULL;
  if (piped(EVERETT_API_popen, ends, SOCK_CLOEXEC_) < 0)
    return NULL;
  const event *e = turn_whole(EVERETT_API_popen);
  int error = e->error;
  turn_pass(e);
  if (error == 0)
    error = spawn_shell(command, ends[!own], !own);
  SYSTEM(close, ends[!own]);
  if (error != 0) {
    SYSTEM(close, ends[own]);
    return failed(error), NULL;
  }
  for (const char *letter = mode; *letter; letter++)
    close_on_exec |= *letter == 'e';
  if (!close_on_exec)
    SYSTEM(fcntl, ends[own], F_SETFD_, 0);
  void *file = fdopen(ends[own], own ? "w" : "r");
  for (int i = 0; i < STREAMS_MAX; i++)
    if (streams[i].file == file)
      streams[i].has_shell = 1;
  return file;
}

int fclose(void *file);

EXPORT int pclose(void *file) {
  int status = 0;
  long pid;
  if (!replaying())
    return REAL(pclose)(file);
  REAL(fclose)(file);
  while ((pid = waited(EVERETT_API_pclose, &status, 0)) < 0 && *__errno_location() == E_INTR) {
  }
  return pid < 0 ? -1 : status;
}
