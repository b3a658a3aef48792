/* glibc defines the types of BSD with a size in their names whatever standard a program keeps to. */
#include_next <sys/types.h>
#ifndef __EVERETT_SYS_TYPES
#define __EVERETT_SYS_TYPES
#define __NEED_int8_t
#define __NEED_int16_t
#define __NEED_int32_t
#define __NEED_int64_t
#define __NEED_u_int64_t
#define __NEED_register_t
#include <bits/alltypes.h>
/* The same type again is no error where it is a typedef already. */
typedef unsigned char u_int8_t;
typedef unsigned short u_int16_t;
typedef unsigned u_int32_t;
#if defined(_GNU_SOURCE) || defined(_BSD_SOURCE)
#include <sys/select.h>
#ifndef loff_t
typedef long long loff_t;
#endif
typedef int daddr_t;
#endif
#endif
