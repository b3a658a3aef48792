/*
 * Failed checks of the undefined-behaviour sanitizer in native code that is compiled from bitcode which has them: the
 * program ends by a trap. Where clang's own runtime is linked, its functions take the place of these.
 */
#define TRAPS(check)                                                                                                  \
    __attribute__((weak, noreturn)) void __ubsan_handle_##check(void) { __builtin_trap(); }                           \
    __attribute__((weak, noreturn)) void __ubsan_handle_##check##_abort(void) { __builtin_trap(); }

TRAPS(type_mismatch_v1)
TRAPS(alignment_assumption)
TRAPS(add_overflow)
TRAPS(sub_overflow)
TRAPS(mul_overflow)
TRAPS(negate_overflow)
TRAPS(divrem_overflow)
TRAPS(shift_out_of_bounds)
TRAPS(out_of_bounds)
TRAPS(builtin_unreachable)
TRAPS(missing_return)
TRAPS(vla_bound_not_positive)
TRAPS(float_cast_overflow)
TRAPS(load_invalid_value)
TRAPS(implicit_conversion)
TRAPS(invalid_builtin)
TRAPS(nonnull_return_v1)
TRAPS(nullability_return_v1)
TRAPS(nonnull_arg)
TRAPS(nullability_arg)
TRAPS(pointer_overflow)
