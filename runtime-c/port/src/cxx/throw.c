/* What libstdc++ calls where it would throw. Programs are compiled without exceptions, so nobody could
 * catch them: they end as a program does that leaves an exception uncaught. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXCEPTION_OF_NOTHING(symbol, type)                                                             \
  _Noreturn void symbol(void) { terminate(type, type); }
#define EXCEPTION_OF_TEXT(symbol, type)                                                                \
  _Noreturn void symbol(const char *what) { terminate(type, what); }

static _Noreturn void terminate(const char *type, const char *what) {
  fprintf(stderr, "terminate called after throwing an instance of '%s'\n  what():  %s\n", type, what);
  abort();
}

/* The functions of <bits/functexcept.h>. */
EXCEPTION_OF_NOTHING(_ZSt17__throw_bad_allocv, "std::bad_alloc")
EXCEPTION_OF_NOTHING(_ZSt28__throw_bad_array_new_lengthv, "std::bad_array_new_length")
EXCEPTION_OF_NOTHING(_ZSt16__throw_bad_castv, "std::bad_cast")
EXCEPTION_OF_NOTHING(_ZSt18__throw_bad_typeidv, "std::bad_typeid")
EXCEPTION_OF_NOTHING(_ZSt21__throw_bad_exceptionv, "std::bad_exception")
EXCEPTION_OF_NOTHING(_ZSt25__throw_bad_function_callv, "std::bad_function_call")
EXCEPTION_OF_TEXT(_ZSt19__throw_logic_errorPKc, "std::logic_error")
EXCEPTION_OF_TEXT(_ZSt20__throw_domain_errorPKc, "std::domain_error")
EXCEPTION_OF_TEXT(_ZSt24__throw_invalid_argumentPKc, "std::invalid_argument")
EXCEPTION_OF_TEXT(_ZSt20__throw_length_errorPKc, "std::length_error")
EXCEPTION_OF_TEXT(_ZSt20__throw_out_of_rangePKc, "std::out_of_range")
EXCEPTION_OF_TEXT(_ZSt21__throw_runtime_errorPKc, "std::runtime_error")
EXCEPTION_OF_TEXT(_ZSt19__throw_range_errorPKc, "std::range_error")
EXCEPTION_OF_TEXT(_ZSt22__throw_overflow_errorPKc, "std::overflow_error")
EXCEPTION_OF_TEXT(_ZSt23__throw_underflow_errorPKc, "std::underflow_error")

/* std::__throw_out_of_range_fmt(char const*, ...) */
_Noreturn void _ZSt24__throw_out_of_range_fmtPKcz(const char *format, ...) {
  char what[512];
  va_list args;
  va_start(args, format);
  vsnprintf(what, sizeof what, format, args);
  va_end(args);
  terminate("std::out_of_range", what);
}

/* std::__throw_system_error(int) */
_Noreturn void _ZSt20__throw_system_errori(int number) {
  terminate("std::system_error", strerror(number));
}

/* What a failed dynamic_cast to a reference, and typeid of a null pointer, call. */
_Noreturn void __cxa_bad_cast(void) { terminate("std::bad_cast", "std::bad_cast"); }
_Noreturn void __cxa_bad_typeid(void) { terminate("std::bad_typeid", "std::bad_typeid"); }
_Noreturn void __cxa_throw_bad_array_new_length(void) { _ZSt28__throw_bad_array_new_lengthv(); }

_Noreturn void __cxa_deleted_virtual(void) {
  fputs("deleted virtual method called\n", stderr);
  abort();
}

/* std::terminate() */
_Noreturn void _ZSt9terminatev(void) {
  fputs("terminate called without an active exception\n", stderr);
  abort();
}

/* std::__glibcxx_assert_fail(char const*, int, char const*, char const*) */
_Noreturn void _ZSt21__glibcxx_assert_failPKciS0_S0_(const char *file, int line, const char *function,
                                                     const char *condition) {
  fprintf(stderr, "%s:%d: %s: Assertion '%s' failed.\n", file, line, function, condition);
  abort();
}
