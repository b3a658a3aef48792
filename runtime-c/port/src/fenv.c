/* The floating-point environment: the engine rounds to nearest, and computes without raising flags; those
 * that a program raises itself are kept. */
#include <fenv.h>
#include <features.h>

static int raised;

int feclearexcept(int mask) {
  raised &= ~(mask & FE_ALL_EXCEPT);
  return 0;
}

int feraiseexcept(int mask) {
  raised |= mask & FE_ALL_EXCEPT;
  return 0;
}

int fetestexcept(int mask) { return raised & mask; }

int fegetround(void) { return FE_TONEAREST; }

hidden int __fesetround(int r) { return r == FE_TONEAREST ? 0 : -1; }

int fegetenv(fenv_t *env) {
  *env = (fenv_t){.__status_word = raised};
  return 0;
}

int fesetenv(const fenv_t *env) {
  raised = env == FE_DFL_ENV ? 0 : env->__status_word & FE_ALL_EXCEPT;
  return 0;
}
