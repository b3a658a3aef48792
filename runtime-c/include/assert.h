/* assert(), which may be included several times with and without NDEBUG. */
#undef assert

#ifdef NDEBUG
#define assert(condition) ((void)0)
#else
#define assert(condition)                                                                        \
  ((condition) ? (void)0 : __assert_fail(#condition, __FILE__, __LINE__, __PRETTY_FUNCTION__))
#endif

#ifndef EVERETT_ASSERT_H
#define EVERETT_ASSERT_H

#ifdef __cplusplus
extern "C"
#else
#define static_assert _Static_assert
#endif
__attribute__((__noreturn__)) void
__assert_fail(const char *assertion, const char *file, unsigned line, const char *function);

#endif
