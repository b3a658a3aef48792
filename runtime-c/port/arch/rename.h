/* Included before every file: names of musl's inside that stand for functions of the engine. */
#define __libc_malloc malloc
#define __libc_calloc calloc
#define __libc_realloc realloc
#define __libc_free free
#define __stpcpy stpcpy
#define __stpncpy stpncpy
#define __strchrnul strchrnul
#define __memrchr memrchr
