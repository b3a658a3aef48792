/* Pseudo-random numbers by additive feedback with a state of the caller's: random_r(3).
 *
 * The structure is glibc's, and so are the numbers. The word before the state keeps the kind of the
 * generator and the place in it. */
#include <errno.h>
#include <stddef.h>
#include <stdint.h>

#include "../src/prng/draw.h"

struct random_data {
  int32_t *front, *rear, *state;
  int kind, degree, separation;
  int32_t *end;
};

enum { KINDS = 5 };
static const int degrees[KINDS] = {0, 7, 15, 31, 63}, separations[KINDS] = {0, 3, 1, 3, 1};

static int invalid(void) {
  errno = EINVAL;
  return -1;
}

static int32_t step(struct random_data *data) {
  if (data->kind == 0)
    return data->state[0] = (data->state[0] * 1103515245u + 12345) & 0x7fffffff;
  uint32_t value = *data->front += (uint32_t)*data->rear;
  if (++data->front >= data->end)
    data->front = data->state;
  if (++data->rear >= data->end)
    data->rear = data->state;
  return value >> 1;
}

int random_r(struct random_data *data, int32_t *result) {
  if (!data || !result)
    return invalid();
  int32_t computed = step(data);
  int64_t drawn = __everett_draw(RAND_BITS);
  *result = drawn < 0 ? computed : (int32_t)drawn;
  return 0;
}

int srandom_r(unsigned seed, struct random_data *data) {
  if (!data || data->kind < 0 || data->kind >= KINDS)
    return -1;
  int32_t *state = data->state;
  state[0] = seed ? seed : 1;
  if (data->kind == 0)
    return 0;
  for (int i = 1; i < data->degree; i++) {
    /* 16807 times the last one, modulo 2^31 - 1, without more than 32 bits. */
    long word = state[i - 1], high = word / 127773, low = word % 127773;
    word = 16807 * low - 2836 * high;
    state[i] = word < 0 ? word + 2147483647 : word;
  }
  data->front = state + data->separation;
  data->rear = state;
  for (int i = 0; i < 10 * data->degree; i++)
    step(data);
  return 0;
}

static void keep_place(struct random_data *data) {
  if (data->state)
    data->state[-1] = data->kind ? (int32_t)(KINDS * (data->rear - data->state) + data->kind) : 0;
}

int initstate_r(unsigned seed, char *buffer, size_t size, struct random_data *data) {
  if (!data || size < 8)
    return invalid();
  keep_place(data);
  data->kind = size < 32 ? 0 : size < 64 ? 1 : size < 128 ? 2 : size < 256 ? 3 : 4;
  data->degree = degrees[data->kind];
  data->separation = separations[data->kind];
  data->state = (int32_t *)buffer + 1;
  data->end = data->state + data->degree;
  srandom_r(seed, data);
  keep_place(data);
  return 0;
}

int setstate_r(char *buffer, struct random_data *data) {
  if (!data || !buffer)
    return invalid();
  int32_t *state = (int32_t *)buffer + 1;
  int kind = state[-1] % KINDS, place = state[-1] / KINDS;
  if (kind < 0)
    return invalid();
  keep_place(data);
  data->kind = kind;
  data->degree = degrees[kind];
  data->separation = separations[kind];
  data->state = state;
  data->end = state + data->degree;
  if (kind) {
    data->rear = state + place;
    data->front = state + (place + data->separation) % data->degree;
  }
  return 0;
}
