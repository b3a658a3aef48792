/* printf and its relatives: %d %i %u %o %x %X %c %s %p %% with flags, width, precision and the
 * length modifiers hh h l ll j z t.
 *
 * Not here: floating point. Such a conversion takes its argument and prints itself unchanged. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* Where the text goes: a descriptor through a small buffer, or a string of limited size. */
struct sink {
  int descriptor;
  char *text;
  size_t capacity;
  size_t total;
  size_t pending;
  char buffer[64];
};

struct directive {
  int left, zero, plus, space, alternative;
  int width;
  int precision;
  enum { INT, CHAR, SHORT, LONG } length;
};

static void flush(struct sink *s) {
  if (s->pending > 0)
    __everett_write(s->descriptor, s->buffer, s->pending);
  s->pending = 0;
}

static void emit(struct sink *s, char c) {
  if (s->descriptor >= 0) {
    if (s->pending == sizeof s->buffer)
      flush(s);
    s->buffer[s->pending++] = c;
  } else if (s->total + 1 < s->capacity) {
    s->text[s->total] = c;
  }
  s->total++;
}

static void emit_many(struct sink *s, char c, int n) {
  for (; n > 0; n--)
    emit(s, c);
}

static void emit_text(struct sink *s, const char *text, int n) {
  for (int i = 0; i < n; i++)
    emit(s, text[i]);
}

static void emit_padded(struct sink *s, const struct directive *d, const char *text, int n) {
  if (!d->left)
    emit_many(s, ' ', d->width - n);
  emit_text(s, text, n);
  if (d->left)
    emit_many(s, ' ', d->width - n);
}

/* Sign or radix prefix, then zeros, then digits, within the width. */
static void emit_number(struct sink *s, const struct directive *d, const char *prefix,
                        uintmax_t magnitude, unsigned base, char first_letter) {
  char digits[24];
  int n = 0, prefix_length = (int)strlen(prefix);
  for (uintmax_t rest = magnitude; rest > 0; rest /= base) {
    unsigned digit = (unsigned)(rest % base);
    digits[n++] = (char)(digit < 10 ? '0' + digit : first_letter + (digit - 10));
  }
  int zeros = (d->precision < 0 ? 1 : d->precision) - n;
  if (zeros < 0)
    zeros = 0;
  if (base == 8 && d->alternative && zeros == 0)
    zeros = 1;
  int padding = d->width - prefix_length - zeros - n;
  if (d->zero && !d->left && d->precision < 0 && padding > 0) {
    zeros += padding;
    padding = 0;
  }
  if (!d->left)
    emit_many(s, ' ', padding);
  emit_text(s, prefix, prefix_length);
  emit_many(s, '0', zeros);
  while (n > 0)
    emit(s, digits[--n]);
  if (d->left)
    emit_many(s, ' ', padding);
}

static int parse_count(const char **format, va_list *args) {
  int n = 0;
  if (**format == '*') {
    (*format)++;
    return va_arg(*args, int);
  }
  for (; **format >= '0' && **format <= '9'; (*format)++)
    n = n * 10 + (**format - '0');
  return n;
}

static struct directive parse_directive(const char **format, va_list *args) {
  struct directive d = {0, 0, 0, 0, 0, 0, -1, INT};
  for (;; (*format)++) {
    switch (**format) {
    case '-': d.left = 1; continue;
    case '0': d.zero = 1; continue;
    case '+': d.plus = 1; continue;
    case ' ': d.space = 1; continue;
    case '#': d.alternative = 1; continue;
    }
    break;
  }
  d.width = parse_count(format, args);
  if (d.width < 0) {
    d.left = 1;
    d.width = -d.width;
  }
  if (**format == '.') {
    (*format)++;
    d.precision = parse_count(format, args);
  }
  for (;; (*format)++) {
    switch (**format) {
    case 'h': d.length = d.length == SHORT ? CHAR : SHORT; continue;
    case 'l': case 'j': case 'z': case 't': d.length = LONG; continue;
    }
    return d;
  }
}

static intmax_t signed_argument(const struct directive *d, va_list *args) {
  if (d->length == LONG)
    return va_arg(*args, long);
  int n = va_arg(*args, int);
  return d->length == CHAR ? (signed char)n : d->length == SHORT ? (short)n : n;
}

static uintmax_t unsigned_argument(const struct directive *d, va_list *args) {
  if (d->length == LONG)
    return va_arg(*args, unsigned long);
  unsigned n = va_arg(*args, unsigned);
  return d->length == CHAR ? (unsigned char)n : d->length == SHORT ? (unsigned short)n : n;
}

static void format_signed(struct sink *s, const struct directive *d, intmax_t n) {
  const char *prefix = n < 0 ? "-" : d->plus ? "+" : d->space ? " " : "";
  emit_number(s, d, prefix, n < 0 ? 0 - (uintmax_t)n : (uintmax_t)n, 10, 'a');
}

static void format_hex(struct sink *s, const struct directive *d, uintmax_t n, int upper) {
  const char *prefix = d->alternative && n ? (upper ? "0X" : "0x") : "";
  emit_number(s, d, prefix, n, 16, upper ? 'A' : 'a');
}

static void format_string(struct sink *s, const struct directive *d, const char *text) {
  if (!text)
    text = "(null)";
  size_t n = d->precision < 0 ? strlen(text) : strnlen(text, (size_t)d->precision);
  emit_padded(s, d, text, (int)n);
}

static void format_pointer(struct sink *s, const struct directive *d, const void *pointer) {
  if (pointer)
    emit_number(s, d, "0x", (uintptr_t)pointer, 16, 'a');
  else
    emit_padded(s, d, "(nil)", 5);
}

/* start points at the '%' of this directive, for conversions that are not known. */
static void format_one(struct sink *s, const struct directive *d, const char *start,
                       const char *conversion, va_list *args) {
  char c;
  switch (*conversion) {
  case 'd': case 'i': format_signed(s, d, signed_argument(d, args)); break;
  case 'u': emit_number(s, d, "", unsigned_argument(d, args), 10, 'a'); break;
  case 'o': emit_number(s, d, "", unsigned_argument(d, args), 8, 'a'); break;
  case 'x': format_hex(s, d, unsigned_argument(d, args), 0); break;
  case 'X': format_hex(s, d, unsigned_argument(d, args), 1); break;
  case 'c':
    c = (char)va_arg(*args, int);
    emit_padded(s, d, &c, 1);
    break;
  case 's': format_string(s, d, va_arg(*args, const char *)); break;
  case 'p': format_pointer(s, d, va_arg(*args, const void *)); break;
  case '%': emit(s, '%'); break;
  case 'e': case 'E': case 'f': case 'F': case 'g': case 'G': case 'a': case 'A':
    (void)va_arg(*args, double);
    emit_text(s, start, (int)(conversion - start) + 1);
    break;
  default: emit_text(s, start, (int)(conversion - start) + (*conversion != 0)); break;
  }
}

static int format_all(struct sink *s, const char *format, va_list args) {
  va_list rest;
  va_copy(rest, args);
  while (*format) {
    const char *start = format++;
    if (*start != '%') {
      emit(s, *start);
      continue;
    }
    struct directive d = parse_directive(&format, &rest);
    format_one(s, &d, start, format, &rest);
    if (*format)
      format++;
  }
  va_end(rest);
  return (int)s->total;
}

int vfprintf(FILE *file, const char *format, va_list args) {
  struct sink s;
  s.descriptor = file->descriptor;
  s.total = s.pending = 0;
  int n = format_all(&s, format, args);
  flush(&s);
  return n;
}

int vsnprintf(char *to, size_t size, const char *format, va_list args) {
  struct sink s;
  s.descriptor = -1;
  s.text = to;
  s.capacity = size;
  s.total = s.pending = 0;
  int n = format_all(&s, format, args);
  if (size > 0)
    to[s.total < size ? s.total : size - 1] = 0;
  return n;
}

int vprintf(const char *format, va_list args) { return vfprintf(stdout, format, args); }

int printf(const char *format, ...) {
  va_list args;
  va_start(args, format);
  int n = vfprintf(stdout, format, args);
  va_end(args);
  return n;
}

int fprintf(FILE *file, const char *format, ...) {
  va_list args;
  va_start(args, format);
  int n = vfprintf(file, format, args);
  va_end(args);
  return n;
}

int snprintf(char *to, size_t size, const char *format, ...) {
  va_list args;
  va_start(args, format);
  int n = vsnprintf(to, size, format, args);
  va_end(args);
  return n;
}

int sprintf(char *to, const char *format, ...) {
  va_list args;
  va_start(args, format);
  int n = vsnprintf(to, (size_t)-1, format, args);
  va_end(args);
  return n;
}
