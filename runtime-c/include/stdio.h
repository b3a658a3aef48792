/* Formatted and plain output, unbuffered, over the engine's __everett_write. */
#ifndef EVERETT_STDIO_H
#define EVERETT_STDIO_H

#include <stdarg.h>
#include <stddef.h>

#define EOF (-1)

#ifdef __cplusplus
extern "C" {
#endif

typedef struct everett_file {
  int descriptor;
} FILE;

extern FILE *const stdout;
extern FILE *const stderr;

/* Writes n bytes to descriptor 1 or 2 and returns n; a primitive of the engine. */
long __everett_write(int fd, const void *buf, unsigned long n);

int putchar(int c);
int putc(int c, FILE *file);
int fputc(int c, FILE *file);
int puts(const char *s);
int fputs(const char *s, FILE *file);
size_t fwrite(const void *data, size_t size, size_t count, FILE *file);
int fflush(FILE *file);

__attribute__((__format__(__printf__, 1, 2))) int printf(const char *format, ...);
__attribute__((__format__(__printf__, 2, 3))) int fprintf(FILE *file, const char *format, ...);
__attribute__((__format__(__printf__, 3, 4))) int snprintf(char *to, size_t size,
                                                           const char *format, ...);
__attribute__((__format__(__printf__, 2, 3))) int sprintf(char *to, const char *format, ...);
int vprintf(const char *format, va_list args);
int vfprintf(FILE *file, const char *format, va_list args);
int vsnprintf(char *to, size_t size, const char *format, va_list args);

#ifdef __cplusplus
}
#endif

#endif
