// What happens when nobody handles an exception: libstdc++'s words on standard error, and a finding.
#include <cstdio>
#include <cstdlib>
#include <cxxabi.h>
#include <exception>
#include <typeinfo>

// Ends the program with a finding about an exception of a type, or about none.
extern "C" [[noreturn]] void __everett_terminate(const char *type, const char *what);

namespace __gnu_cxx {

void __verbose_terminate_handler() {
  static bool terminating;
  if (terminating) {
    std::fputs("terminate called recursively\n", stderr);
    std::abort();
  }
  terminating = true;
  const std::type_info *type = abi::__cxa_current_exception_type();
  if (!type) {
    std::fputs("terminate called without an active exception\n", stderr);
    __everett_terminate(nullptr, nullptr);
  }
  int status = -1;
  const char *name = abi::__cxa_demangle(type->name(), nullptr, nullptr, &status);
  if (status != 0)
    name = type->name();
  std::fprintf(stderr, "terminate called after throwing an instance of '%s'\n", name);
  try {
    throw;
  } catch (const std::exception &thrown) {
    const char *what = thrown.what();
    std::fprintf(stderr, "  what():  %s\n", what);
    __everett_terminate(name, what);
  } catch (...) {
  }
  __everett_terminate(name, nullptr);
}

} // namespace __gnu_cxx
