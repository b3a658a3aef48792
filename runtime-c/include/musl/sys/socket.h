/* glibc's brings the types of the system with it. */
#include_next <sys/socket.h>
#include <sys/types.h>
/* Its CMSG_NXTHDR compares a signed with an unsigned number, which -Wsign-compare shows in the program. */
#undef CMSG_NXTHDR
#define CMSG_NXTHDR(mhdr, cmsg)                                                         \
  ((cmsg)->cmsg_len < sizeof(struct cmsghdr) ||                                         \
           __CMSG_LEN(cmsg) + sizeof(struct cmsghdr) >=                                 \
               (unsigned long)(__MHDR_END(mhdr) - (unsigned char *)(cmsg))              \
       ? (struct cmsghdr *)0                                                            \
       : (struct cmsghdr *)__CMSG_NEXT(cmsg))
