/* musl's internals of threads, but for the place of a mutex's kind: it is where glibc has it, so that
 * initialisers such as PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP mean the same. */
#include_next <pthread_impl.h>
#undef _m_type
#define _m_type __u.__i[4]
