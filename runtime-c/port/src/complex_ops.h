/* Multiplication and division for one type: REAL, with the suffix F of its functions, under the names MUL
 * and DIV. The special cases are those of Annex G of the C standard: what came out as not-a-number
 * although an operand was infinite, or a divisor zero, is what the limits say. */

static REAL NAME(unit_if_infinite)(REAL x) { return F(copysign)(isinf(x) ? 1 : 0, x); }
static REAL NAME(zero_if_nan)(REAL x) { return isnan(x) ? F(copysign)(0, x) : x; }

REAL _Complex MUL(REAL a, REAL b, REAL c, REAL d) {
  REAL ac = a * c, bd = b * d, ad = a * d, bc = b * c;
  REAL x = ac - bd, y = ad + bc;
  if (!isnan(x) || !isnan(y))
    return __builtin_complex(x, y);
  int again = 0;
  if (isinf(a) || isinf(b)) {
    a = NAME(unit_if_infinite)(a), b = NAME(unit_if_infinite)(b);
    c = NAME(zero_if_nan)(c), d = NAME(zero_if_nan)(d);
    again = 1;
  }
  if (isinf(c) || isinf(d)) {
    c = NAME(unit_if_infinite)(c), d = NAME(unit_if_infinite)(d);
    a = NAME(zero_if_nan)(a), b = NAME(zero_if_nan)(b);
    again = 1;
  }
  if (!again && (isinf(ac) || isinf(bd) || isinf(ad) || isinf(bc))) {
    a = NAME(zero_if_nan)(a), b = NAME(zero_if_nan)(b);
    c = NAME(zero_if_nan)(c), d = NAME(zero_if_nan)(d);
    again = 1;
  }
  if (!again)
    return __builtin_complex(x, y);
  return __builtin_complex((REAL)INFINITY * (a * c - b * d), (REAL)INFINITY * (a * d + b * c));
}

REAL _Complex DIV(REAL a, REAL b, REAL c, REAL d) {
  int scale = 0;
  REAL logarithm = F(logb)(F(fmax)(F(fabs)(c), F(fabs)(d)));
  if (isfinite(logarithm)) {
    scale = (int)logarithm;
    c = F(scalbn)(c, -scale);
    d = F(scalbn)(d, -scale);
  }
  REAL norm = c * c + d * d;
  REAL x = F(scalbn)((a * c + b * d) / norm, -scale);
  REAL y = F(scalbn)((b * c - a * d) / norm, -scale);
  if (!isnan(x) || !isnan(y))
    return __builtin_complex(x, y);
  if (norm == 0 && (!isnan(a) || !isnan(b))) {
    x = F(copysign)((REAL)INFINITY, c) * a;
    y = F(copysign)((REAL)INFINITY, c) * b;
  } else if ((isinf(a) || isinf(b)) && isfinite(c) && isfinite(d)) {
    a = NAME(unit_if_infinite)(a), b = NAME(unit_if_infinite)(b);
    x = (REAL)INFINITY * (a * c + b * d);
    y = (REAL)INFINITY * (b * c - a * d);
  } else if (isinf(logarithm) && logarithm > 0 && isfinite(a) && isfinite(b)) {
    c = NAME(unit_if_infinite)(c), d = NAME(unit_if_infinite)(d);
    x = 0 * (a * c + b * d);
    y = 0 * (b * c - a * d);
  }
  return __builtin_complex(x, y);
}
