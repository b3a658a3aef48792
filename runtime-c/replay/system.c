#include "system.h"

void *memcpy(void *restrict to, const void *restrict from, size_t size) {
  void *start = to;
  __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(size) : : "memory");
  return start;
}

void *memset(void *to, int byte, size_t size) {
  void *start = to;
  __asm__ volatile("rep stosb" : "+D"(to), "+c"(size) : "a"(byte) : "memory");
  return start;
}

int memcmp(const void *a, const void *b, size_t size) {
  const unsigned char *x = a, *y = b;
  for (size_t i = 0; i < size; i++)
    if (x[i] != y[i])
      return x[i] < y[i] ? -1 : 1;
  return 0;
}

void *memmove(void *to, const void *from, size_t size) {
  if ((uintptr_t)to - (uintptr_t)from >= size)
    return memcpy(to, from, size);
  unsigned char *x = to;
  const unsigned char *y = from;
  while (size-- > 0)
    x[size] = y[size];
  return to;
}

static void put_byte(struct text *text, char byte) {
  if (text->used + 1 < text->size) {
    text->bytes[text->used++] = byte;
    text->bytes[text->used] = 0;
  }
}

static void put_number(struct text *text, uint64_t number, unsigned base) {
  char digits[24];
  size_t count = 0;
  do {
    digits[count++] = "0123456789abcdef"[number % base];
    number /= base;
  } while (number > 0);
  while (count > 0)
    put_byte(text, digits[--count]);
}

static void put_argument(struct text *text, char kind, va_list *list) {
  if (kind == 's') {
    for (const char *word = va_arg(*list, const char *); *word; word++)
      put_byte(text, *word);
  } else if (kind == 'd') {
    int64_t number = va_arg(*list, int64_t);
    if (number < 0)
      put_byte(text, '-');
    put_number(text, number < 0 ? 0 - (uint64_t)number : (uint64_t)number, 10);
  } else if (kind == 'u') {
    put_number(text, va_arg(*list, uint64_t), 10);
  } else if (kind == 'x') {
    put_number(text, va_arg(*list, uint64_t), 16);
  } else if (kind == 'a') {
    uint32_t ip = va_arg(*list, uint32_t);
    for (int shift = 24; shift >= 0; shift -= 8) {
      put_number(text, ip >> shift & 255, 10);
      if (shift > 0)
        put_byte(text, '.');
    }
  }
}

void text_put_list(struct text *text, const char *format, va_list list) {
  va_list rest;
  va_copy(rest, list);
  for (; *format; format++) {
    if (*format == '%' && format[1])
      put_argument(text, *++format, &rest);
    else
      put_byte(text, *format);
  }
  va_end(rest);
}

void text_put(struct text *text, const char *format, ...) {
  va_list list;
  va_start(list, format);
  text_put_list(text, format, list);
  va_end(list);
}
