/* CMSG_NXTHDR of glibc's <sys/socket.h> calls this. */
#include <stddef.h>
#include <sys/socket.h>

#define ALIGNED(size) (((size) + sizeof(size_t) - 1) & ~(sizeof(size_t) - 1))

struct cmsghdr *__cmsg_nxthdr(struct msghdr *message, struct cmsghdr *header) {
  size_t length = header->cmsg_len;
  char *end = (char *)message->msg_control + message->msg_controllen;
  size_t left = end - (char *)header;
  if (length < sizeof *header || left < sizeof *header)
    return NULL;
  /* The next one has to begin, and to end, before the buffer does. */
  if (ALIGNED(length) < length || left - sizeof *header < ALIGNED(length))
    return NULL;
  struct cmsghdr *next = (struct cmsghdr *)((char *)header + ALIGNED(length));
  size_t rest = end - (char *)next;
  return next->cmsg_len >= sizeof *next && ALIGNED(next->cmsg_len) > rest ? NULL : next;
}
