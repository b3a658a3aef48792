/* Functions that fail as glibc's do on Linux, which has nothing of the kind. */
#include <errno.h>
#include <sys/types.h>

static int refused(void) {
  errno = ENOSYS;
  return -1;
}
int chflags(const char *path, unsigned long flags) { return refused(); }
int fchflags(int fd, unsigned long flags) { return refused(); }
int revoke(const char *path) { return refused(); }
int setlogin(const char *name) { return refused(); }
int gtty(int fd, void *to) { return refused(); }
int stty(int fd, const void *from) { return refused(); }
int sigstack(void *stack, void *old) { return refused(); }
int sethostid(long id) {
  errno = EPERM;
  return -1;
}
int vlimit(int resource, int value) { return refused(); }
