/* Vectors of 128 bits, and the names of the functions that stand for instructions of x86-64. A call of the
 * intrinsic `llvm.x86.a.b` becomes a call of `__everett_x86_a_b` when a program is linked. There are no branches
 * on contents where a choice does, so that symbolic contents do not fork. */
#include <stdint.h>
#include <string.h>

typedef int8_t V16 __attribute__((vector_size(16)));
typedef int16_t V8 __attribute__((vector_size(16)));
typedef int32_t V4 __attribute__((vector_size(16)));
typedef int64_t V2 __attribute__((vector_size(16)));
typedef uint8_t U16 __attribute__((vector_size(16)));
typedef uint16_t U8 __attribute__((vector_size(16)));
typedef uint32_t U4 __attribute__((vector_size(16)));
typedef uint64_t U2 __attribute__((vector_size(16)));
typedef float F4 __attribute__((vector_size(16)));
typedef double D2 __attribute__((vector_size(16)));

#define X86(name) __everett_x86_##name
#define EACH(i, n) _Pragma("clang loop unroll(full)") for (int i = 0; i < (n); i++)
