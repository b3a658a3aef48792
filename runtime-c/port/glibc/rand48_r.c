/* Pseudo-random numbers of 48 bits with a state of the caller's: drand48_r(3), and glibc's structure. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "../src/prng/draw.h"

struct drand48_data {
  unsigned short x[3], old[3], c, init;
  unsigned long long a;
};

static uint64_t joined(const unsigned short x[3]) { return x[0] | (uint64_t)x[1] << 16 | (uint64_t)x[2] << 32; }
static void split(uint64_t value, unsigned short x[3]) {
  x[0] = value;
  x[1] = value >> 16;
  x[2] = value >> 32;
}

static uint64_t step(unsigned short x[3], struct drand48_data *data) {
  if (!data->init) {
    data->a = 0x5deece66d;
    data->c = 11;
    data->init = 1;
  }
  uint64_t next = joined(x) * data->a + data->c;
  split(next, x);
  int64_t drawn = __everett_draw(RAND48_BITS);
  return drawn < 0 ? next & 0xffffffffffff : (uint64_t)drawn;
}

int erand48_r(unsigned short x[3], struct drand48_data *data, double *result) {
  *result = step(x, data) * 0x1p-48;
  return 0;
}
int nrand48_r(unsigned short x[3], struct drand48_data *data, long *result) {
  *result = step(x, data) >> 17;
  return 0;
}
int jrand48_r(unsigned short x[3], struct drand48_data *data, long *result) {
  *result = (int32_t)(step(x, data) >> 16);
  return 0;
}
int drand48_r(struct drand48_data *data, double *result) { return erand48_r(data->x, data, result); }
int lrand48_r(struct drand48_data *data, long *result) { return nrand48_r(data->x, data, result); }
int mrand48_r(struct drand48_data *data, long *result) { return jrand48_r(data->x, data, result); }

static void usual(struct drand48_data *data) {
  data->a = 0x5deece66d;
  data->c = 11;
  data->init = 1;
}
int srand48_r(long seed, struct drand48_data *data) {
  split((uint64_t)(uint32_t)seed << 16 | 0x330e, data->x);
  usual(data);
  return 0;
}
int seed48_r(unsigned short seed[3], struct drand48_data *data) {
  memcpy(data->old, data->x, sizeof data->x);
  memcpy(data->x, seed, sizeof data->x);
  usual(data);
  return 0;
}
int lcong48_r(unsigned short parameters[7], struct drand48_data *data) {
  memcpy(data->x, parameters, sizeof data->x);
  data->a = joined(parameters + 3);
  data->c = parameters[6];
  data->init = 1;
  return 0;
}
