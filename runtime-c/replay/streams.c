/* Streams of stdio on sockets and pipes. What the C library reads and writes for them goes through the
 * functions here, so that it has its turn. */
#include "socket.h"

void descriptor_gone(int fd);

struct stream {
  void *file;
  int fd;
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

/* What the C library does for a function of stdio says which one it is. */
static int is_stdio(const event *e) {
  return e->aux[3] >= EVERETT_API_fopen && e->aux[3] <= EVERETT_API_perror;
}

static long stream_read(void *cookie, char *buffer, size_t size) {
  struct stream *of = cookie;
  if (of->ahead_size == 0) {
    const event *e = turn_take_any(is_stdio, "a function of stdio that reads");
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
    const event *e = turn_take_any(is_stdio, "a function of stdio that writes");
    const event *outcome = e->flags & EVERETT_BLOCKS ? turn_future(e) : e;
    if (outcome && outcome->error == 0)
      of->owed = (size_t)outcome->result;
    size_t part = size < of->owed ? size : of->owed;
    if (outcome && outcome->error == 0 &&
        memcmp(bytes, event_data(outcome), part < outcome->data_bytes ? part : outcome->data_bytes) != 0)
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

static int stream_close(void *cookie) {
  struct stream *of = cookie;
  const event *e = turn_take_any(is_stdio, "fclose");
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
