/* Small functions of glibc that musl does not have. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pwd.h>
#include <search.h>
#include <grp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>
#include "syscall.h"

unsigned gnu_dev_major(unsigned long long device) { return (device >> 32 & 0xfffff000) | (device >> 8 & 0xfff); }
unsigned gnu_dev_minor(unsigned long long device) { return (device >> 12 & 0xffffff00) | (device & 0xff); }
unsigned long long gnu_dev_makedev(unsigned major, unsigned minor) {
  return (major & 0xfffff000ull) << 32 | (major & 0xfffull) << 8 | (minor & 0xffffff00ull) << 12 | (minor & 0xff);
}

char *getwd(char *to) { return getcwd(to, PATH_MAX); }
int getcpu(unsigned *cpu, unsigned *node) { return syscall(SYS_getcpu, cpu, node, 0); }
int getpw(uid_t uid, char *to) {
  struct passwd *user = getpwuid(uid);
  if (!user)
    return -1;
  return sprintf(to, "%s:%s:%d:%d:%s:%s:%s", user->pw_name, user->pw_passwd, user->pw_uid, user->pw_gid,
                 user->pw_gecos, user->pw_dir, user->pw_shell) < 0
             ? -1
             : 0;
}
int getpt(void) { return posix_openpt(O_RDWR); }
int group_member(gid_t group) {
  gid_t groups[NGROUPS_MAX];
  int n = getgroups(NGROUPS_MAX, groups);
  for (int i = 0; i < n; i++)
    if (groups[i] == group)
      return 1;
  return 0;
}
int isfdtype(int fd, int type) {
  struct stat st;
  int old = errno, failed = fstat(fd, &st);
  errno = old;
  return failed ? -1 : (st.st_mode & S_IFMT) == (mode_t)type;
}
ssize_t getdirentries(int fd, char *to, size_t n, off_t *base) {
  off_t at = lseek(fd, 0, SEEK_CUR);
  ssize_t got = at < 0 ? -1 : getdents(fd, (struct dirent *)to, n);
  if (got >= 0)
    *base = at;
  return got;
}
ssize_t getdirentries64(int fd, char *to, size_t n, off_t *base) { return getdirentries(fd, to, n, base); }

int dysize(int year) { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 366 : 365; }
time_t timelocal(struct tm *time) { return mktime(time); }
int timespec_getres(struct timespec *to, int base) {
  if (base != TIME_UTC)
    return 0;
  if (to)
    clock_getres(CLOCK_REALTIME, to);
  return base;
}
char *tmpnam_r(char *to) { return to ? tmpnam(to) : NULL; }

void *memfrob(void *at, size_t n) {
  for (unsigned char *byte = at; n > 0; n--)
    *byte++ ^= 42;
  return at;
}
char *strfry(char *text) {
  size_t n = strlen(text);
  for (size_t i = 0; i + 1 < n; i++) {
    uint32_t value = 0;
    if (getrandom(&value, sizeof value, 0) < 0)
      abort();
    size_t other = i + value % (n - i);
    char c = text[i];
    text[i] = text[other];
    text[other] = c;
  }
  return text;
}

struct node {
  const void *key;
  struct node *sides[2];
  int height;
};
/* The tree is that of musl's tsearch. */
static void walk(const struct node *node, void (*visit)(const void *, VISIT, void *), void *arg) {
  if (!node)
    return;
  if (!node->sides[0] && !node->sides[1]) {
    visit(node, leaf, arg);
    return;
  }
  visit(node, preorder, arg);
  walk(node->sides[0], visit, arg);
  visit(node, postorder, arg);
  walk(node->sides[1], visit, arg);
  visit(node, endorder, arg);
}
void twalk_r(const void *root, void (*visit)(const void *, VISIT, void *), void *arg) {
  if (visit)
    walk(root, visit, arg);
}
