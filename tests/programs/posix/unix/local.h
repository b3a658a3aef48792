// Shared by the programs about UNIX sockets: addresses, servers, and messages with control data. Include it first.
#ifndef LOCAL_H
#define LOCAL_H

#include "../socket/net.h"
#include <stddef.h>

typedef struct sockaddr_un Local;

// The address of a path name, and its length.
HELPER Local path(const char *name, socklen_t *len) {
  Local a = {.sun_family = AF_UNIX};
  strcpy(a.sun_path, name);
  *len = (socklen_t)(offsetof(Local, sun_path) + strlen(name) + 1);
  return a;
}

// The address of an abstract name.
HELPER Local abstract(const char *name, socklen_t *len) {
  Local a = {.sun_family = AF_UNIX};
  strcpy(a.sun_path + 1, name);
  *len = (socklen_t)(offsetof(Local, sun_path) + 1 + strlen(name));
  return a;
}

HELPER int bind_to(int fd, const char *name) {
  socklen_t len;
  Local a = path(name, &len);
  return bind(fd, ADDRESS(a), len);
}

HELPER int connect_to(int fd, const char *name) {
  socklen_t len;
  Local a = path(name, &len);
  return connect(fd, ADDRESS(a), len);
}

HELPER int send_to(int fd, const char *name, const char *text) {
  socklen_t len;
  Local a = path(name, &len);
  return (int)sendto(fd, text, strlen(text), 0, ADDRESS(a), len);
}

// A socket of a type that is bound to a path, and listens unless it is for datagrams.
HELPER int server(int type, const char *name) {
  int fd = socket(AF_UNIX, type, 0);
  need(fd >= 0 && bind_to(fd, name) == 0, "bind");
  need(type == SOCK_DGRAM || listen(fd, 5) == 0, "listen");
  return fd;
}

// Prints a name that a call gave.
HELPER void show_name(const char *what, const Local *a, socklen_t len) {
  printf("%s: %u", what, (unsigned)len);
  if (len > offsetof(Local, sun_path))
    printf(a->sun_path[0] ? " path %.*s" : " abstract %.*s", (int)(len - offsetof(Local, sun_path)) - !a->sun_path[0],
           a->sun_path + !a->sun_path[0]);
  printf("\n");
}

// Sends bytes with descriptors.
HELPER ssize_t pass(int fd, const char *text, const int *fds, int count) {
  union {
    char bytes[CMSG_SPACE(16 * sizeof(int))];
    struct cmsghdr align;
  } control;
  struct iovec list = {(char *)text, strlen(text)};
  struct msghdr m = {.msg_iov = &list, .msg_iovlen = 1};
  if (count) {
    memset(&control, 0, sizeof control);
    m.msg_control = &control;
    m.msg_controllen = CMSG_SPACE((size_t)count * sizeof(int));
    struct cmsghdr *c = CMSG_FIRSTHDR(&m);
    c->cmsg_level = SOL_SOCKET;
    c->cmsg_type = SCM_RIGHTS;
    c->cmsg_len = CMSG_LEN((size_t)count * sizeof(int));
    memcpy(CMSG_DATA(c), fds, (size_t)count * sizeof(int));
  }
  return sendmsg(fd, &m, 0);
}

// Receives bytes and descriptors; says how many descriptors came.
HELPER int obtain(const char *what, int fd, int *fds, int room, int flags) {
  char buffer[64];
  union {
    char bytes[CMSG_SPACE(16 * sizeof(int))];
    struct cmsghdr align;
  } control;
  struct iovec list = {buffer, sizeof buffer};
  struct msghdr m = {.msg_iov = &list, .msg_iovlen = 1};
  m.msg_control = &control;
  m.msg_controllen = CMSG_SPACE((size_t)room * sizeof(int));
  ssize_t n = recvmsg(fd, &m, flags);
  if (n < 0) {
    printf("%s: %s\n", what, errno_name(errno));
    return 0;
  }
  int count = 0;
  for (struct cmsghdr *c = CMSG_FIRSTHDR(&m); c; c = CMSG_NXTHDR(&m, c))
    if (c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_RIGHTS) {
      count = (int)((c->cmsg_len - CMSG_LEN(0)) / sizeof(int));
      memcpy(fds, CMSG_DATA(c), (size_t)count * sizeof(int));
    }
  printf("%s: [%.*s] and %d descriptors%s\n", what, (int)n, buffer, count, m.msg_flags & MSG_CTRUNC ? ", cut" : "");
  return count;
}

#endif
