/* Macros that programs written for BSD expect, and the host's sys/queue.h. musl has none of them. */
#ifndef _SYS_CDEFS_H
#define _SYS_CDEFS_H

#ifdef __cplusplus
#define __BEGIN_DECLS extern "C" {
#define __END_DECLS }
#else
#define __BEGIN_DECLS
#define __END_DECLS
#endif

#define __P(args) args
#define __CONCAT(x, y) x##y
#define __STRING(x) #x

#endif
