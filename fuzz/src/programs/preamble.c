/* What random programs begin with: types, operations that are defined for all values, and a way to fail. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "klee/klee.h"

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int8_t i8;
typedef int16_t i16;
typedef int32_t i32;
typedef int64_t i64;

/* All values are tried one after the other, natively, instead of all at once. */
static int native;
static volatile u64 sink;
static jmp_buf failure;
static int failed;

/* Natively, the end of the program for one value: a bug would end it for all. */
static void fail(int number) {
  failed = number;
  longjmp(failure, 1);
}

/* The same value, of which the optimiser knows nothing. */
__attribute__((noinline, optnone)) static u8 hidden(u8 value) { return value; }
__attribute__((noinline, optnone)) static volatile u8 *hidden_pointer(u8 *value) { return value; }

/* W is wide enough that nothing is computed in a signed type. */
#define OPERATIONS(T, U, W, BITS)                                                                  \
  static inline T T##_add(T a, T b) { return (T)((W)a + (W)b); }                                   \
  static inline T T##_sub(T a, T b) { return (T)((W)a - (W)b); }                                   \
  static inline T T##_mul(T a, T b) { return (T)((W)a * (W)b); }                                   \
  static inline T T##_and(T a, T b) { return (T)((W)a & (W)b); }                                   \
  static inline T T##_or(T a, T b) { return (T)((W)a | (W)b); }                                    \
  static inline T T##_xor(T a, T b) { return (T)((W)a ^ (W)b); }                                   \
  static inline T T##_shl(T a, T b) { return (T)((W)a << ((W)b % BITS)); }                         \
  static inline T T##_shr(T a, T b) { return (T)(a >> ((W)b % BITS)); }                            \
  static inline T T##_div(T a, T b) { return b == 0 || b == (T)-1 ? a : (T)(a / b); }              \
  static inline T T##_rem(T a, T b) { return b == 0 || b == (T)-1 ? a : (T)(a % b); }              \
  static inline T T##_rot(T a, T b) {                                                              \
    unsigned by = (unsigned)((W)b % BITS);                                                         \
    return (T)(by == 0 ? (W)(U)a : (W)(U)a << by | (W)(U)a >> (BITS - by));                        \
  }                                                                                                \
  static inline T T##_lt(T a, T b) { return a < b; }                                               \
  static inline T T##_eq(T a, T b) { return a == b; }                                              \
  static inline T T##_min(T a, T b) { return a < b ? a : b; }

/* Floating-point numbers: each operation rounds, and nothing is computed ahead or fused. */
#define ARITHMETIC(NAME, T)                                                                        \
  static inline T NAME##_add(T a, T b) { return a + b; }                                           \
  static inline T NAME##_sub(T a, T b) { return a - b; }                                           \
  static inline T NAME##_mul(T a, T b) { return a * b; }                                           \
  static inline T NAME##_div(T a, T b) { return a / b; }

ARITHMETIC(single, float)
ARITHMETIC(double, double)

static inline double root(double a) { return a >= 0 ? __builtin_sqrt(a) : a; }

/* An integer of any number: what does not fit has a number of its own. */
static inline i64 whole(double a) { return a != a ? 5 : a >= 1e15 ? 7 : a <= -1e15 ? 9 : (i64)a; }

OPERATIONS(u8, u8, u32, 8)
OPERATIONS(u16, u16, u32, 16)
OPERATIONS(u32, u32, u32, 32)
OPERATIONS(u64, u64, u64, 64)
OPERATIONS(i8, u8, u32, 8)
OPERATIONS(i16, u16, u32, 16)
OPERATIONS(i32, u32, u32, 32)
OPERATIONS(i64, u64, u64, 64)

static const u8 table8[16] = {3, 200, 7, 7, 0, 255, 128, 64, 9, 1, 77, 31, 254, 16, 5, 100};
static const u16 table16[8] = {0, 513, 65535, 40000, 7, 256, 32768, 9999};
static const i32 table32[8] = {-1, 0, 7, 2147483647, -2147483647, 1000, -77, 65536};
static u64 table64[8] = {1, 0x8000000000000000u, 99, 0xffffffffffffffffu, 4294967296u, 3, 0, 12345678901u};

struct parts {
  u8 first;
  u32 second;
  unsigned third : 3;
  int fourth : 5;
  u64 fifth;
};

union views {
  u64 whole;
  u8 bytes[8];
  u16 halves[4];
  i32 words[2];
};

static u32 plus_one(u32 x) { return x + 1; }
static u32 times_three(u32 x) { return x * 3; }
static u32 halved(u32 x) { return x / 2; }
static u32 turned(u32 x) { return ~x; }
static u32 (*const functions[4])(u32) = {plus_one, times_three, halved, turned};

static u32 depth_of(u32 x) { return x < 2 ? 1 : 1 + depth_of(x / 2); }

static u64 sum_of(int count, ...) {
  va_list list;
  u64 sum = 0;
  va_start(list, count);
  for (int i = 0; i < count; i++) sum = sum * 5 + va_arg(list, u64);
  va_end(list);
  return sum;
}

static int by_value(const void *left, const void *right) {
  u16 a = *(const u16 *)left, b = *(const u16 *)right;
  return a < b ? -1 : a > b;
}

/* The exit status of a child. */
static u8 status_of_child(u8 status) {
  int word = 0;
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) _exit(status);
  if (waitpid(child, &word, 0) != child || !WIFEXITED(word)) return 99;
  return (u8)WEXITSTATUS(word);
}

static void *returned(void *value) { return value; }

/* The result of a thread. */
static u64 result_of_thread(u64 value) {
  pthread_t thread;
  void *result = NULL;
  if (pthread_create(&thread, NULL, returned, (void *)value) != 0) return 98;
  if (pthread_join(thread, &result) != 0) return 97;
  return (u64)result;
}

/* What comes out of a pipe. */
static u16 through_pipe(u16 value) {
  int ends[2];
  u16 out = 96;
  if (pipe(ends) != 0) return 95;
  if (write(ends[1], &value, sizeof value) != sizeof value) return 94;
  if (read(ends[0], &out, sizeof out) != sizeof out) return 93;
  close(ends[0]);
  close(ends[1]);
  return out;
}

static u32 mixed(u32 sum, u64 value) {
  return (sum << 5 | sum >> 27) ^ (u32)value ^ (u32)(value >> 32);
}

