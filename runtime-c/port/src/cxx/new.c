/* The forms of operator new and delete that the engine does not know. Those that it knows tell it which
 * form memory belongs to. */
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>

extern void *_Znwm(size_t), *_Znam(size_t);
extern void _ZdlPv(void *), _ZdaPv(void *);

/* std::nothrow */
const char _ZSt7nothrow = 0;

/* new (std::nothrow) T, new (std::nothrow) T[n] */
void *_ZnwmRKSt9nothrow_t(size_t size, const void *tag) { return _Znwm(size); }
void *_ZnamRKSt9nothrow_t(size_t size, const void *tag) { return _Znam(size); }
void _ZdlPvRKSt9nothrow_t(void *p, const void *tag) { _ZdlPv(p); }
void _ZdaPvRKSt9nothrow_t(void *p, const void *tag) { _ZdaPv(p); }

/* Types that are aligned more strictly than malloc does. */
void *_ZnwmSt11align_val_t(size_t size, size_t alignment) {
  void *p;
  if (posix_memalign(&p, alignment, size))
    abort();
  return p;
}
void *_ZnamSt11align_val_t(size_t size, size_t alignment) {
  return _ZnwmSt11align_val_t(size, alignment);
}
void _ZdlPvSt11align_val_t(void *p, size_t alignment) { free(p); }
void _ZdaPvSt11align_val_t(void *p, size_t alignment) { free(p); }
void _ZdlPvmSt11align_val_t(void *p, size_t size, size_t alignment) { free(p); }
void _ZdaPvmSt11align_val_t(void *p, size_t size, size_t alignment) { free(p); }
