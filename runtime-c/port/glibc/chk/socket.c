/* Checked input from sockets, and waiting. */
#include "../checked.h"
#include <poll.h>
#include <sys/select.h>
#include <sys/socket.h>

ssize_t __recv_chk(int fd, void *to, size_t n, size_t size, int flags) {
  fits(n, size);
  return recv(fd, to, n, flags);
}
ssize_t __recvfrom_chk(int fd, void *to, size_t n, size_t size, int flags, struct sockaddr *from,
                       socklen_t *len) {
  fits(n, size);
  return recvfrom(fd, to, n, flags, from, len);
}
int __poll_chk(struct pollfd *fds, nfds_t n, int timeout, size_t size) {
  fits(n, size / sizeof *fds);
  return poll(fds, n, timeout);
}
int __ppoll_chk(struct pollfd *fds, nfds_t n, const struct timespec *timeout, const sigset_t *mask,
                size_t size) {
  fits(n, size / sizeof *fds);
  return ppoll(fds, n, timeout, mask);
}
long __fdelt_chk(long fd) {
  if (fd < 0 || fd >= FD_SETSIZE)
    __chk_fail();
  return fd / (8 * (long)sizeof(long));
}
