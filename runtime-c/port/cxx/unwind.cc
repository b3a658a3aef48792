// The unwinder of C++: it finds the handler of an exception, and enters the places that clean up on the way.
//
// The engine knows the frames of a thread and their landing pads; what a handler takes is decided here, as
// libstdc++ decides it. The search comes first: as long as no handler is found, the stack stays as it is where
// the exception was thrown.
#include <cstdio>
#include <cstdlib>
#include <cxxabi.h>
#include <exception>
#include <new>
#include <typeinfo>
#include <unwind-cxx.h>

namespace {

// An entry of the list that a landing pad is, as crates/engine/src/primitives/unwind.rs writes it.
struct Clause {
  enum Kind : long { CATCH = 1, FILTER, FILTERED_TYPE, CLEANUP };
  Kind kind;
  // What the function finds in its selector if the clause stops the exception.
  long number;
  // A type; of a filter, how many types follow.
  union {
    const std::type_info *type;
    long count;
  };
};

} // namespace

extern "C" {
// The depth of the next frame outwards of one, and of the innermost, that has a landing pad; 0 for none.
long __everett_landing_below(long depth);
// Writes an entry; 0 if there are no more.
int __everett_landing_clause(long depth, long index, Clause *clause);
// Goes on at the landing pad of a frame.
[[noreturn]] void __everett_land(long depth, void *exception, long number);
// Runs cleanup handlers of the C library that frames inside of one have left (src/cleanup.c).
void __everett_end_cleanups(long depth);
// The end of a thread that has left its frames: musl's.
[[noreturn]] void __pthread_exit(void *result);
}

using namespace __cxxabiv1;

namespace {

constexpr long INNERMOST = 0x7fffffff;

// What a landing pad does with an exception.
struct Landing {
  bool stops = false;
  bool cleans_up = false;
  long number = 0;
  // The object as the handler takes it.
  void *object = nullptr;
  // The first entry of the filter that stops it, if one does, and how many types it has.
  long filter = -1, filtered_types = 0;
};

// Whether a handler of a type takes an object of another one, which it may see at another address.
bool takes(const std::type_info *handler, const std::type_info *thrown, void *&object) {
  if (!handler)
    return true;
  void *seen = object;
  // A pointer is handled by its value.
  if (thrown->__is_pointer_p())
    seen = *static_cast<void **>(seen);
  if (!handler->__do_catch(thrown, &seen, 1))
    return false;
  object = seen;
  return true;
}

bool passes_filter(long depth, long filter, long count, const std::type_info *thrown, void *object) {
  for (long i = 1; i <= count; i++) {
    Clause type;
    void *seen = object;
    if (__everett_landing_clause(depth, filter + i, &type) && takes(type.type, thrown, seen))
      return true;
  }
  return false;
}

// The class of what leaves the frames of a thread that ends, as glibc calls it: "GNUC", "FOR" and a zero.
constexpr _Unwind_Exception_Class LEAVES = 0x474e5543464f5200;

// A thread that leaves its frames. Destructors run on the way, and handlers of anything, or of this type, which have
// to throw it on.
struct ThreadEnd {
  _Unwind_Exception exception;
  void *result;
};
thread_local ThreadEnd end_of_thread;

Landing look(long depth, _Unwind_Exception *exception) {
  const bool is_ours = __is_gxx_exception_class(exception->exception_class);
  const bool leaves = exception->exception_class == LEAVES;
  void *const object = is_ours ? __get_object_from_ue(exception) : exception + 1;
  const std::type_info *const thrown =
      is_ours ? __get_exception_header_from_obj(object)->exceptionType : nullptr;
  Landing found;
  Clause clause;
  for (long i = 0; __everett_landing_clause(depth, i, &clause); i++) {
    found.number = clause.number;
    found.object = object;
    switch (clause.kind) {
    case Clause::CATCH:
      found.stops = is_ours ? takes(clause.type, thrown, found.object)
                            : !clause.type || (leaves && *clause.type == typeid(abi::__forced_unwind));
      break;
    case Clause::FILTER:
      // The end of a thread is stopped by functions that throw nothing.
      found.stops = leaves    ? clause.count == 0
                    : is_ours ? !passes_filter(depth, i, clause.count, thrown, object)
                              : true;
      found.filter = i;
      found.filtered_types = clause.count;
      break;
    case Clause::FILTERED_TYPE:
      break;
    case Clause::CLEANUP:
      found.cleans_up = true;
      break;
    }
    if (found.stops)
      break;
    found.filter = -1;
  }
  return found;
}

// The types that a function has promised to throw, for __cxa_call_unexpected: a list that ends with null.
const std::type_info **types_of_filter(long depth, const Landing &landing) {
  auto **types = static_cast<const std::type_info **>(
      std::calloc(landing.filtered_types + 1, sizeof(const std::type_info *)));
  if (!types)
    std::terminate();
  for (long i = 0; i < landing.filtered_types; i++) {
    Clause clause;
    __everett_landing_clause(depth, landing.filter + 1 + i, &clause);
    types[i] = clause.type;
  }
  return types;
}

// Notes what the handler needs to know of its exception.
void note(_Unwind_Exception *exception, long depth, const Landing &landing) {
  exception->private_1 = 0;
  exception->private_2 = depth;
  if (!__is_gxx_exception_class(exception->exception_class))
    return;
  __cxa_exception *header = __get_exception_header_from_ue(exception);
  header->handlerSwitchValue = landing.number;
  header->adjustedPtr = landing.object;
  if (landing.filter >= 0)
    header->languageSpecificData =
        reinterpret_cast<const unsigned char *>(types_of_filter(depth, landing));
}

// Enters the next landing pad on the way to the handler: _Unwind_Resume comes back from those that clean up.
[[noreturn]] void go_on(_Unwind_Exception *exception) {
  const long handler = exception->private_2;
  for (long depth = INNERMOST; (depth = __everett_landing_below(depth)) > 0;) {
    const Landing landing = look(depth, exception);
    if (depth <= handler || landing.cleans_up) {
      __everett_end_cleanups(depth);
      __everett_land(depth, exception, landing.stops ? landing.number : 0);
    }
  }
  std::terminate();
}

// Leaves the frames of the thread up to the next landing pad, from which _Unwind_Resume comes back; behind the last
// one, the thread ends.
[[noreturn]] void leave(_Unwind_Exception *exception) {
  for (long depth = INNERMOST; (depth = __everett_landing_below(depth)) > 0;) {
    const Landing landing = look(depth, exception);
    if (landing.stops || landing.cleans_up) {
      __everett_end_cleanups(depth);
      __everett_land(depth, exception, landing.stops ? landing.number : 0);
    }
  }
  __pthread_exit(reinterpret_cast<ThreadEnd *>(exception)->result);
}

// A handler has ended without throwing on.
void not_thrown_on(_Unwind_Reason_Code, _Unwind_Exception *) {
  std::fputs("FATAL: exception not rethrown\n", stderr);
  std::abort();
}

// Calls the program's handler, which may have freed some memory when it returns. Without one, it throws.
void ask_for_memory() {
  const std::new_handler handler = std::get_new_handler();
  if (!handler)
    throw std::bad_alloc();
  handler();
}

bool is_allowed(const std::type_info *const *types, const std::type_info *thrown, void *object) {
  for (; *types; types++) {
    void *seen = object;
    if (object ? takes(*types, thrown, seen) : (*types)->__do_catch(thrown, &seen, 1))
      return true;
  }
  return false;
}

} // namespace

extern "C" {

// Programs refer to these, and the engine never calls them.
_Unwind_Reason_Code __cxxabiv1::__gxx_personality_v0(int, _Unwind_Action, _Unwind_Exception_Class,
                                                     _Unwind_Exception *, _Unwind_Context *) {
  return _URC_FATAL_PHASE1_ERROR;
}
_Unwind_Reason_Code __gcc_personality_v0(int, _Unwind_Action, _Unwind_Exception_Class,
                                         _Unwind_Exception *, _Unwind_Context *) {
  return _URC_FATAL_PHASE1_ERROR;
}

// Backtraces have no frames: findings show the stack.
_Unwind_Reason_Code _Unwind_Backtrace(_Unwind_Trace_Fn, void *) { return _URC_END_OF_STACK; }

// The personality of Rust refers to these, and the engine never calls it.
_Unwind_Ptr _Unwind_GetIP(_Unwind_Context *) { std::abort(); }
_Unwind_Ptr _Unwind_GetIPInfo(_Unwind_Context *, int *) { std::abort(); }
_Unwind_Ptr _Unwind_GetRegionStart(_Unwind_Context *) { std::abort(); }
_Unwind_Ptr _Unwind_GetTextRelBase(_Unwind_Context *) { std::abort(); }
_Unwind_Ptr _Unwind_GetDataRelBase(_Unwind_Context *) { std::abort(); }
void *_Unwind_GetLanguageSpecificData(_Unwind_Context *) { std::abort(); }
void _Unwind_SetGR(_Unwind_Context *, int, _Unwind_Word) { std::abort(); }
void _Unwind_SetIP(_Unwind_Context *, _Unwind_Ptr) { std::abort(); }

_Unwind_Reason_Code _Unwind_RaiseException(_Unwind_Exception *exception) {
  if (exception->exception_class == LEAVES)
    leave(exception);
  for (long depth = INNERMOST; (depth = __everett_landing_below(depth)) > 0;) {
    const Landing landing = look(depth, exception);
    if (landing.stops) {
      note(exception, depth, landing);
      go_on(exception);
    }
  }
  return _URC_END_OF_STACK;
}

_Unwind_Reason_Code _Unwind_Resume_or_Rethrow(_Unwind_Exception *exception) {
  return _Unwind_RaiseException(exception);
}

void _Unwind_Resume(_Unwind_Exception *exception) {
  if (exception->exception_class == LEAVES)
    leave(exception);
  go_on(exception);
}

// What pthread_exit does in a program with landing pads (src/thread_exit.c).
[[noreturn]] void __everett_leave_frames(void *result) {
  end_of_thread.exception.exception_class = LEAVES;
  end_of_thread.exception.exception_cleanup = not_thrown_on;
  end_of_thread.result = result;
  leave(&end_of_thread.exception);
}

void _Unwind_DeleteException(_Unwind_Exception *exception) {
  if (exception->exception_cleanup)
    exception->exception_cleanup(_URC_FOREIGN_EXCEPTION_CAUGHT, exception);
}

// An exception has left a function that had promised not to throw it.
void __cxa_call_unexpected(void *raw) {
  auto *exception = static_cast<_Unwind_Exception *>(raw);
  __cxa_begin_catch(exception);
  struct End {
    const std::type_info **types;
    ~End() {
      std::free(types);
      __cxa_end_catch();
    }
  };
  if (!__is_gxx_exception_class(exception->exception_class))
    std::terminate();
  __cxa_exception *header = __get_exception_header_from_ue(exception);
  End end{reinterpret_cast<const std::type_info **>(
      const_cast<unsigned char *>(header->languageSpecificData))};
  const std::terminate_handler terminate = header->terminateHandler;
  try {
    __unexpected(header->unexpectedHandler);
  } catch (...) {
    __cxa_exception *thrown = __cxa_get_globals_fast()->caughtExceptions;
    void *object = __get_object_from_ambiguous_exception(thrown);
    const std::type_info *type = __get_exception_header_from_obj(object)->exceptionType;
    if (is_allowed(end.types, type, object))
      throw;
    if (is_allowed(end.types, &typeid(std::bad_exception), nullptr))
      throw std::bad_exception();
    __terminate(terminate);
  }
}

// What new and new[] do where there is no memory: the engine enters these in their places.
void *__everett_c__Znwm(std::size_t size) {
  ask_for_memory();
  return operator new(size);
}
void *__everett_c__Znam(std::size_t size) {
  ask_for_memory();
  return operator new[](size);
}

} // extern "C"
