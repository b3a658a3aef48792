/* Calls on descriptors of any kind: on files they just happen, unless a fault happens to them. */
#include "socket.h"

enum { KEPT_MAX = 64 };

/* The fault of a call on a file: it fails. */
static long fault(const event *e) {
  long result = e->error != 0 ? failed(e->error) : e->result;
  turn_pass(e);
  return result;
}

/* Reads from a file: with a fault it is short, or fails. */
static long read_file(unsigned api, int fd, const struct iovec_ *vector, int count) {
  const event *e = turn_local(api);
  if (!e)
    return answered(SYSTEM(readv, fd, vector, count));
  if (e->error != 0)
    return fault(e);
  struct iovec_ first = vector[0];
  if ((int64_t)first.length > e->result)
    first.length = (size_t)e->result;
  long result = answered(SYSTEM(readv, fd, &first, 1));
  turn_pass(e);
  return result;
}

static long write_file(unsigned api, int fd, const struct iovec_ *vector, int count) {
  const event *e = turn_local(api);
  if (!e)
    return answered(SYSTEM(writev, fd, vector, count));
  if (e->error != 0)
    return fault(e);
  size_t left = (size_t)e->result;
  for (int i = 0; i < count && left > 0; i++) {
    size_t part = vector[i].length < left ? vector[i].length : left;
    SYSTEM(write, fd, vector[i].base, part);
    left -= part;
  }
  return fault(e);
}

EXPORT long read(int fd, void *buffer, size_t size) {
  if (!replaying())
    return answered(SYSTEM(read, fd, buffer, size));
  struct iovec_ vector = {buffer, size};
  struct msghdr_ message = {.vector = &vector, .vector_length = 1};
  return is_outside(fd) ? receive(EVERETT_API_read, fd, &message, 0) : read_file(EVERETT_API_read, fd, &vector, 1);
}

EXPORT long __read_chk(int fd, void *buffer, size_t size, size_t room) {
  return (void)room, read(fd, buffer, size);
}

EXPORT long readv(int fd, const struct iovec_ *vector, int count) {
  if (!replaying())
    return answered(SYSTEM(readv, fd, vector, count));
  struct msghdr_ message = {.vector = (struct iovec_ *)vector, .vector_length = count};
  return is_outside(fd) ? receive(EVERETT_API_readv, fd, &message, 0) : read_file(EVERETT_API_readv, fd, vector, count);
}

EXPORT long write(int fd, const void *buffer, size_t size) {
  if (!replaying())
    return answered(SYSTEM(write, fd, buffer, size));
  struct iovec_ vector = {(void *)buffer, size};
  struct msghdr_ message = {.vector = &vector, .vector_length = 1};
  return is_outside(fd) ? transmit(EVERETT_API_write, fd, &message, 0) : write_file(EVERETT_API_write, fd, &vector, 1);
}

EXPORT long writev(int fd, const struct iovec_ *vector, int count) {
  if (!replaying())
    return answered(SYSTEM(writev, fd, vector, count));
  struct msghdr_ message = {.vector = (struct iovec_ *)vector, .vector_length = count};
  return is_outside(fd) ? transmit(EVERETT_API_writev, fd, &message, 0)
                        : write_file(EVERETT_API_writev, fd, vector, count);
}

/* Connections stay open, out of the way: when the other side learns of their end is for the script to say. */
static void keep(int fd) {
  static int kept[KEPT_MAX], next;
  struct address peer;
  uint32_t size = sizeof peer;
  int type = 0;
  uint32_t type_size = sizeof type;
  SYSTEM(getsockopt, fd, SOL_SOCKET_, SO_TYPE_, &type, &type_size);
  if (type != SOCK_STREAM_ || SYSTEM(getpeername, fd, &peer, &size) != 0 || peer.family != AF_INET_)
    return;
  long copy = own_copy(fd);
  if (copy < 0)
    return;
  if (kept[next] > 0)
    own_close(kept[next]);
  kept[next] = (int)copy;
  next = (next + 1) % KEPT_MAX;
}

/* A descriptor is given up. */
void descriptor_gone(int fd) {
  if (is_outside(fd))
    keep(fd);
}

EXPORT int close(int fd) {
  if (!replaying())
    return (int)answered(SYSTEM(close, fd));
  if (!is_outside(fd)) {
    const event *e = turn_local(EVERETT_API_close);
    return (int)(e ? fault(e) : answered(is_own(fd) ? -E_BADF : SYSTEM(close, fd)));
  }
  const event *e = turn_whole(EVERETT_API_close);
  descriptor_gone(fd);
  SYSTEM(close, fd);
  return (int)fault(e);
}

/* A copy of a descriptor. */
static int copied(unsigned api, int fd, long (*copy)(int fd, int to, int flags), int to, int flags) {
  if (!replaying())
    return (int)answered(copy(fd, to, flags));
  if (!is_outside(fd)) {
    const event *e = turn_local(api);
    if (e)
      return (int)fault(e);
    if (to >= 0 && to != fd)
      descriptor_gone(to);
    return (int)answered(copy(fd, to, flags));
  }
  const event *e = turn_whole(api);
  if (e->error == 0) {
    if (to >= 0 && to != fd)
      descriptor_gone(to);
    long made = copy(fd, to, flags);
    if (made != e->result)
      made = numbered((int)made, e->result, flags & SOCK_CLOEXEC_);
    if (made < 0)
      turn_diverge("the descriptor cannot be copied: error %d", (int64_t)-made);
  }
  return (int)fault(e);
}

static long copy_lowest(int fd, int to, int flags) {
  (void)to, (void)flags;
  return SYSTEM(fcntl, fd, F_DUPFD_, 0);
}
static long copy_over(int fd, int to, int flags) { return (void)flags, SYSTEM(dup2, fd, to); }
static long copy_with_flags(int fd, int to, int flags) { return SYSTEM(dup3, fd, to, flags); }

EXPORT int dup(int fd) { return copied(EVERETT_API_dup, fd, copy_lowest, -1, 0); }
EXPORT int dup2(int fd, int to) { return copied(EVERETT_API_dup2, fd, copy_over, to, 0); }
EXPORT int dup3(int fd, int to, int flags) { return copied(EVERETT_API_dup3, fd, copy_with_flags, to, flags); }

static int controlled(int fd, int command, long argument) {
  if (!replaying())
    return (int)answered(SYSTEM(fcntl, fd, command, argument));
  if (!is_outside(fd)) {
    const event *e = turn_local(EVERETT_API_fcntl);
    return (int)(e ? fault(e) : answered(SYSTEM(fcntl, fd, command, argument)));
  }
  const event *e = turn_whole(EVERETT_API_fcntl);
  if (e->error == 0) {
    long made = SYSTEM(fcntl, fd, command, argument);
    if ((command == F_DUPFD_ || command == F_DUPFD_CLOEXEC_) && made != e->result)
      numbered((int)made, e->result, command == F_DUPFD_CLOEXEC_);
  }
  return (int)fault(e);
}

EXPORT int fcntl(int fd, int command, ...) {
  va_list list;
  va_start(list, command);
  long argument = va_arg(list, long);
  va_end(list);
  return controlled(fd, command, argument);
}

EXPORT int fcntl64(int fd, int command, ...) {
  va_list list;
  va_start(list, command);
  long argument = va_arg(list, long);
  va_end(list);
  return controlled(fd, command, argument);
}

EXPORT int ioctl(int fd, unsigned long command, ...) {
  va_list list;
  va_start(list, command);
  void *argument = va_arg(list, void *);
  va_end(list);
  if (!replaying())
    return (int)answered(system_call(16, fd, (long)command, (long)argument, 0, 0, 0));
  if (!is_outside(fd)) {
    const event *e = turn_local(EVERETT_API_ioctl);
    return (int)(e ? fault(e) : answered(system_call(16, fd, (long)command, (long)argument, 0, 0, 0)));
  }
  enum { SET_NONBLOCKING = 0x5421 };
  const event *e = turn_whole(EVERETT_API_ioctl);
  if (e->error == 0 && command == SET_NONBLOCKING)
    system_call(16, fd, (long)command, (long)argument, 0, 0, 0);
  else if (e->error == 0)
    memcpy(argument, event_data(e), e->data_bytes);
  return (int)fault(e);
}

int piped(unsigned api, int ends[2], int flags) {
  int made[2];
  long result = system_call(293, (long)made, flags, 0, 0, 0, 0);
  if (!replaying()) {
    memcpy(ends, made, result == 0 ? sizeof made : 0);
    return (int)answered(result);
  }
  const event *e = turn_whole(api);
  if (e->error == 0 && (result != 0 || memcmp(made, event_data(e), sizeof made) != 0))
    turn_diverge("pipe has made descriptors %d and %d", (int64_t)made[0], (int64_t)made[1]);
  if (e->error == 0)
    memcpy(ends, made, sizeof made);
  else if (result == 0)
    SYSTEM(close, made[0]), SYSTEM(close, made[1]);
  return (int)fault(e);
}

EXPORT int pipe(int ends[2]) { return piped(EVERETT_API_pipe, ends, 0); }
EXPORT int pipe2(int ends[2], int flags) { return piped(EVERETT_API_pipe2, ends, flags); }

/* Descriptors that are not connected to anything: only their numbers matter. */
static int unconnected(unsigned api, long native, int flags) {
  if (!replaying())
    return (int)answered(native);
  const event *e = turn_whole(api);
  if (e->error != 0 && native >= 0)
    SYSTEM(close, native);
  else if (e->error == 0)
    numbered((int)native, e->result, flags & SOCK_CLOEXEC_);
  return (int)fault(e);
}

EXPORT int eventfd(unsigned value, int flags) {
  return unconnected(EVERETT_API_eventfd, system_call(290, value, flags, 0, 0, 0, 0), flags);
}
/* Reads and writes of the descriptor are in the script. */
EXPORT int eventfd_read(int fd, uint64_t *value) {
  if (!replaying())
    return REAL(eventfd_read)(fd, value);
  const event *e = turn_whole(EVERETT_API_eventfd_read);
  memcpy(value, event_data(e), e->data_bytes == sizeof *value ? sizeof *value : 0);
  return fault(e) < 0 ? -1 : 0;
}
EXPORT int eventfd_write(int fd, uint64_t value) {
  if (!replaying())
    return REAL(eventfd_write)(fd, value);
  return fault(turn_whole(EVERETT_API_eventfd_write)) < 0 ? -1 : 0;
}
EXPORT int signalfd(int fd, const void *set, int flags) {
  if (!replaying())
    return REAL(signalfd)(fd, set, flags);
  /* One that is there gets another set, and only the script knows of sets. */
  return fd >= 0 ? (int)fault(turn_whole(EVERETT_API_signalfd))
                 : unconnected(EVERETT_API_signalfd, system_call(290, 0, flags, 0, 0, 0, 0), flags);
}
EXPORT int timerfd_create(int clock, int flags) {
  return unconnected(EVERETT_API_timerfd_create, system_call(283, clock, flags, 0, 0, 0, 0), flags);
}
/* A set of descriptors is a socket here: the script says what is ready, and a socket can be told from others in every
 * process that has it, which a set of the kernel cannot. */
EXPORT int epoll_create1(int flags) {
  if (!replaying())
    return (int)answered(system_call(291, flags, 0, 0, 0, 0, 0));
  return unconnected(EVERETT_API_epoll_create1, SYSTEM(socket, AF_UNIX_, SOCK_DGRAM_ | flags, 0), flags);
}
EXPORT int epoll_create(int size) {
  if (!replaying())
    return (int)answered(system_call(213, size, 0, 0, 0, 0, 0));
  return unconnected(EVERETT_API_epoll_create, SYSTEM(socket, AF_UNIX_, SOCK_DGRAM_, 0), 0);
}

/* A timer of the script never runs natively. */
EXPORT int timerfd_settime(int fd, int flags, const void *new, void *old) {
  if (!replaying())
    return (int)answered(system_call(286, fd, flags, (long)new, (long)old, 0, 0));
  const event *e = turn_whole(EVERETT_API_timerfd_settime);
  if (old)
    memcpy(old, event_data(e), e->data_bytes);
  return (int)fault(e);
}

EXPORT int timerfd_gettime(int fd, void *now) {
  if (!replaying())
    return (int)answered(system_call(287, fd, (long)now, 0, 0, 0, 0));
  const event *e = turn_whole(EVERETT_API_timerfd_gettime);
  memcpy(now, event_data(e), e->data_bytes);
  return (int)fault(e);
}
