/* The turns of the conversation: what comes from other nodes after the peer has spoken to them. */
#define _GNU_SOURCE
#include "peer.h"

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

/* What comes next begins a turn: it is the first message, or the peer has spoken since the last one. */
static atomic_bool has_spoken = true;

static bool has_address(const struct sockaddr_storage *address, socklen_t size) {
  if (address->ss_family == AF_INET || address->ss_family == AF_INET6) return true;
  return address->ss_family == AF_UNIX && size > offsetof(struct sockaddr_un, sun_path);
}

/* Returns true for a socket that has an address: pairs of sockets are within the peer. */
static bool is_to_others(int fd) {
  struct sockaddr_storage address;
  socklen_t size = sizeof address;
  int error = errno;
  bool is = getsockname(fd, (struct sockaddr *)&address, &size) == 0;
  if (is && !has_address(&address, size)) {
    size = sizeof address;
    is = getpeername(fd, (struct sockaddr *)&address, &size) == 0 && has_address(&address, size);
  }
  errno = error;
  return is;
}

static ssize_t heard(int fd, ssize_t size) {
  if (size > 0 && atomic_load(&has_spoken) && is_to_others(fd) && atomic_exchange(&has_spoken, false))
    clock_turn();
  return size;
}

static ssize_t said(int fd, ssize_t size) {
  bool is_new = !atomic_load(&has_spoken) || !clock_has_begun();
  if (size > 0 && is_new && is_to_others(fd)) {
    clock_begin();
    atomic_store(&has_spoken, true);
  }
  return size;
}

EXPORT int bind(int fd, const struct sockaddr *address, socklen_t size) {
  int result = NEXT(bind)(fd, address, size);
  int type = 0;
  socklen_t type_size = sizeof type;
  /* Datagrams can come from now on. Whoever takes connections says so later. */
  if (result == 0 && getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &type_size) == 0 && type == SOCK_DGRAM &&
      is_to_others(fd))
    clock_begin();
  return result;
}

EXPORT int listen(int fd, int count) {
  int result = NEXT(listen)(fd, count);
  if (result == 0 && is_to_others(fd)) clock_begin();
  return result;
}

EXPORT int connect(int fd, const struct sockaddr *address, socklen_t size) {
  int result = NEXT(connect)(fd, address, size);
  if ((result == 0 || errno == EINPROGRESS) && is_to_others(fd)) clock_begin();
  return result;
}

EXPORT ssize_t read(int fd, void *buffer, size_t size) { return heard(fd, NEXT(read)(fd, buffer, size)); }

EXPORT ssize_t readv(int fd, const struct iovec *pieces, int count) {
  return heard(fd, NEXT(readv)(fd, pieces, count));
}

EXPORT ssize_t recv(int fd, void *buffer, size_t size, int flags) {
  return heard(fd, NEXT(recv)(fd, buffer, size, flags));
}

EXPORT ssize_t recvfrom(int fd, void *restrict buffer, size_t size, int flags,
                        struct sockaddr *restrict address, socklen_t *restrict address_size) {
  return heard(fd, NEXT(recvfrom)(fd, buffer, size, flags, address, address_size));
}

EXPORT ssize_t recvmsg(int fd, struct msghdr *message, int flags) {
  return heard(fd, NEXT(recvmsg)(fd, message, flags));
}

/* The same, as programs call them that are compiled with checks of buffers. */
EXPORT ssize_t __read_chk(int fd, void *buffer, size_t size, size_t room) {
  if (size > room) __builtin_trap();
  return read(fd, buffer, size);
}

EXPORT ssize_t __recv_chk(int fd, void *buffer, size_t size, size_t room, int flags) {
  if (size > room) __builtin_trap();
  return recv(fd, buffer, size, flags);
}

EXPORT ssize_t __recvfrom_chk(int fd, void *restrict buffer, size_t size, size_t room, int flags,
                              struct sockaddr *restrict address, socklen_t *restrict address_size) {
  if (size > room) __builtin_trap();
  return recvfrom(fd, buffer, size, flags, address, address_size);
}

EXPORT ssize_t write(int fd, const void *buffer, size_t size) {
  return said(fd, NEXT(write)(fd, buffer, size));
}

EXPORT ssize_t writev(int fd, const struct iovec *pieces, int count) {
  return said(fd, NEXT(writev)(fd, pieces, count));
}

EXPORT ssize_t send(int fd, const void *buffer, size_t size, int flags) {
  return said(fd, NEXT(send)(fd, buffer, size, flags));
}

EXPORT ssize_t sendto(int fd, const void *buffer, size_t size, int flags, const struct sockaddr *address,
                      socklen_t address_size) {
  return said(fd, NEXT(sendto)(fd, buffer, size, flags, address, address_size));
}

EXPORT ssize_t sendmsg(int fd, const struct msghdr *message, int flags) {
  return said(fd, NEXT(sendmsg)(fd, message, flags));
}

EXPORT ssize_t sendfile(int out, int in, off_t *offset, size_t size) {
  return said(out, NEXT(sendfile)(out, in, offset, size));
}

EXPORT ssize_t sendfile64(int out, int in, off64_t *offset, size_t size) {
  return said(out, NEXT(sendfile64)(out, in, offset, size));
}
