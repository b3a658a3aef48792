/* Names that glibc's has beside those of musl. */
#include_next <signal.h>
#ifndef SIGCLD
#define SIGCLD SIGCHLD
#endif
#if defined(_GNU_SOURCE) || defined(_BSD_SOURCE)
#ifndef sigmask
#define sigmask(number) ((int)(1u << ((number) - 1)))
#endif
#ifndef SA_NOMASK
#define SA_NOMASK SA_NODEFER
#define SA_ONESHOT SA_RESETHAND
#define SA_INTERRUPT 0x20000000
#endif
#endif
