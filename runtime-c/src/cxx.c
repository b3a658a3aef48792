/* What C++ code without exceptions and without a standard library calls, under its mangled names. */
#include <stdlib.h>

void *_Znwm(size_t size);
void *_Znam(size_t size);
void _ZdlPv(void *p);
void _ZdaPv(void *p);
void _ZdlPvm(void *p, size_t size);
void _ZdaPvm(void *p, size_t size);
void __cxa_pure_virtual(void);
int __cxa_guard_acquire(char *guard);
void __cxa_guard_release(char *guard);
void __cxa_guard_abort(char *guard);

void *__dso_handle = 0;

/* operator new and operator new[] */
void *_Znwm(size_t size) { return malloc(size ? size : 1); }
void *_Znam(size_t size) { return malloc(size ? size : 1); }

/* operator delete and operator delete[], without and with the size */
void _ZdlPv(void *p) { free(p); }
void _ZdaPv(void *p) { free(p); }
void _ZdlPvm(void *p, size_t size) {
  (void)size;
  free(p);
}
void _ZdaPvm(void *p, size_t size) {
  (void)size;
  free(p);
}

void __cxa_pure_virtual(void) { abort(); }

/* The first byte of a guard says that its static variable is initialised (Itanium C++ ABI 3.3.3). */
int __cxa_guard_acquire(char *guard) { return *guard == 0; }
void __cxa_guard_release(char *guard) { *guard = 1; }
void __cxa_guard_abort(char *guard) { (void)guard; }
