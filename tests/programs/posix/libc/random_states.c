//@ native: yes
// Pseudo-random numbers with states of the caller's are those of glibc, number by number.
#include "../check.h"
#ifndef __GLIBC__
struct random_data {
  int *fptr, *rptr, *state;
  int rand_type, rand_deg, rand_sep;
  int *end_ptr;
};
struct drand48_data {
  unsigned short x[3], old[3], c, init;
  unsigned long long a;
};
int random_r(struct random_data *, int *);
int srandom_r(unsigned, struct random_data *);
int initstate_r(unsigned, char *, size_t, struct random_data *);
int setstate_r(char *, struct random_data *);
int drand48_r(struct drand48_data *, double *);
int lrand48_r(struct drand48_data *, long *);
int mrand48_r(struct drand48_data *, long *);
int erand48_r(unsigned short[3], struct drand48_data *, double *);
int nrand48_r(unsigned short[3], struct drand48_data *, long *);
int jrand48_r(unsigned short[3], struct drand48_data *, long *);
int srand48_r(long, struct drand48_data *);
int seed48_r(unsigned short[3], struct drand48_data *);
int lcong48_r(unsigned short[7], struct drand48_data *);
#endif

static char space[5][256] __attribute__((aligned(8)));

int main(void) {
  static const size_t sizes[] = {8, 32, 64, 128, 256};
  for (int kind = 0; kind < 5; kind++) {
    struct random_data data = {0};
    int value = 0;
    SHOW(initstate_r(42 + kind, space[kind], sizes[kind], &data));
    for (int i = 0; i < 70; i++) {
      random_r(&data, &value);
      if (i % 10 == 0)
        printf("%d ", value);
    }
    srandom_r(1, &data);
    random_r(&data, &value);
    printf("%d\n", value);
    if (kind == 3) {
      char other[32] __attribute__((aligned(8)));
      SHOW(initstate_r(5, other, sizeof other, &data));
      SHOW(setstate_r(space[3], &data));
      random_r(&data, &value);
      NUM(value);
    }
  }
  struct random_data none = {0};
  SHOW(initstate_r(1, space[0], 4, &none));

  struct drand48_data data;
  memset(&data, 0, sizeof data);
  unsigned short seed[3] = {1, 2, 3}, all[7] = {1, 2, 3, 5, 6, 7, 9};
  double real;
  long whole;
  srand48_r(7, &data);
  drand48_r(&data, &real);
  printf("%.15f ", real);
  lrand48_r(&data, &whole);
  printf("%ld ", whole);
  mrand48_r(&data, &whole);
  printf("%ld\n", whole);
  erand48_r(seed, &data, &real);
  printf("%.15f ", real);
  nrand48_r(seed, &data, &whole);
  printf("%ld ", whole);
  jrand48_r(seed, &data, &whole);
  printf("%ld\n", whole);
  seed48_r(seed, &data);
  lrand48_r(&data, &whole);
  printf("%ld ", whole);
  lcong48_r(all, &data);
  mrand48_r(&data, &whole);
  printf("%ld\n", whole);
  return 0;
}
