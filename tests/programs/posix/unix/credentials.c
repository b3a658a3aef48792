// SO_PEERCRED tells who is at the other end; SO_PASSCRED who sent a message.
#include "local.h"

static void who(const char *what, int fd) {
  struct ucred c = {-2, 0, 0};
  socklen_t len = sizeof c;
  errno = 0;
  int result = getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &c, &len);
  printf("%s: %d, %s, %d %d\n", what, result, c.pid == getpid() ? "me" : c.pid == 0 ? "nobody" : "another", (int)c.uid,
         (int)c.gid);
}

static void sender(const char *what, int fd, pid_t me) {
  char data[16];
  union {
    char bytes[256];
    struct cmsghdr align;
  } control;
  struct iovec list = {data, sizeof data};
  struct msghdr m = {.msg_iov = &list, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
  ssize_t n = recvmsg(fd, &m, 0);
  struct cmsghdr *c = CMSG_FIRSTHDR(&m);
  printf("%s: %zd", what, n);
  if (c && c->cmsg_type == SCM_CREDENTIALS) {
    struct ucred u;
    memcpy(&u, CMSG_DATA(c), sizeof u);
    printf(" from %s %d %d", u.pid == me ? "me" : "another", (int)u.uid, (int)u.gid);
  }
  printf("\n");
}

int main(void) {
  be_ordinary_user();
  int p[2];
  need(socketpair(AF_UNIX, SOCK_STREAM, 0, p) == 0, "socketpair");
  who("pair", p[0]);
  who("not connected", socket(AF_UNIX, SOCK_STREAM, 0));
  who("not local", socket(AF_INET, SOCK_STREAM, 0));
  int l = server(SOCK_STREAM, "s"), fd = socket(AF_UNIX, SOCK_STREAM, 0);
  need(connect_to(fd, "s") == 0, "connect");
  who("client", fd);
  who("server", accept(l, NULL, NULL));
  SHOW(send(p[0], "x", 1, 0));
  sender("not asked for", p[1], getpid());
  SHOW(set(p[1], SOL_SOCKET, SO_PASSCRED, 1));
  NUM(option(p[1], SOL_SOCKET, SO_PASSCRED));
  SHOW(send(p[0], "xy", 2, 0));
  sender("asked for", p[1], getpid());
  fflush(stdout);
  if (fork() == 0) {
    send(p[0], "child", 5, 0);
    _exit(0);
  }
  wait(NULL);
  sender("from a child", p[1], getpid());
  // Credentials that are given must be one's own.
  struct ucred mine = {getpid(), getuid(), getgid()};
  union {
    char bytes[CMSG_SPACE(sizeof mine)];
    struct cmsghdr align;
  } control = {0};
  struct iovec list = {"z", 1};
  struct msghdr m = {.msg_iov = &list, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
  struct cmsghdr *c = CMSG_FIRSTHDR(&m);
  c->cmsg_level = SOL_SOCKET;
  c->cmsg_type = SCM_CREDENTIALS;
  c->cmsg_len = CMSG_LEN(sizeof mine);
  memcpy(CMSG_DATA(c), &mine, sizeof mine);
  SHOW(sendmsg(p[0], &m, 0));
  mine.uid++;
  memcpy(CMSG_DATA(c), &mine, sizeof mine);
  SHOW(sendmsg(p[0], &m, 0));
  sender("given", p[1], getpid());
  return 0;
}
