// What glibc has beside strerror and strsignal, and what its CMSG_NXTHDR calls.
//@ native: yes
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

const char *strerrorname_np(int);
const char *strerrordesc_np(int);
const char *sigabbrev_np(int);
const char *sigdescr_np(int);
struct cmsghdr *__cmsg_nxthdr(struct msghdr *, struct cmsghdr *);

static const char *shown(const char *text) { return text ? text : "(none)"; }

int main(void) {
  for (int number = -1; number < 140; number++)
    printf("%d %s\n", number, shown(strerrorname_np(number)));
  printf("%s, %s\n", shown(strerrordesc_np(ENOENT)), shown(strerrordesc_np(9999)));
  for (int number = -1; number < 40; number++)
    printf("%d %s\n", number, shown(sigabbrev_np(number)));
  printf("%s, %s\n", shown(sigdescr_np(SIGINT)), shown(sigdescr_np(99)));

  union {
    char bytes[CMSG_SPACE(sizeof(int)) + CMSG_SPACE(1)];
    struct cmsghdr aligned;
  } control;
  memset(&control, 0, sizeof control);
  struct msghdr message = {.msg_control = &control, .msg_controllen = sizeof control};
  struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  header->cmsg_len = CMSG_LEN(sizeof(int));
  struct cmsghdr *second = __cmsg_nxthdr(&message, header);
  printf("%d\n", (int)((char *)second - control.bytes));
  second->cmsg_len = CMSG_LEN(1);
  printf("%s\n", __cmsg_nxthdr(&message, second) ? "third" : "no third");
  header->cmsg_len = 3;
  printf("%s\n", __cmsg_nxthdr(&message, header) ? "second" : "no second");
  return 0;
}
