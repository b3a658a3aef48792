/* Plain output. Formatting is in format.c. */
#include <stdio.h>
#include <string.h>

static FILE standard_output = {1};
static FILE standard_error = {2};
FILE *const stdout = &standard_output;
FILE *const stderr = &standard_error;

int fputc(int c, FILE *file) {
  unsigned char byte = (unsigned char)c;
  __everett_write(file->descriptor, &byte, 1);
  return byte;
}

int putc(int c, FILE *file) { return fputc(c, file); }
int putchar(int c) { return fputc(c, stdout); }

int fputs(const char *s, FILE *file) {
  __everett_write(file->descriptor, s, strlen(s));
  return 0;
}

int puts(const char *s) {
  fputs(s, stdout);
  return putchar('\n');
}

size_t fwrite(const void *data, size_t size, size_t count, FILE *file) {
  __everett_write(file->descriptor, data, size * count);
  return size ? count : 0;
}

int fflush(FILE *file) {
  (void)file;
  return 0;
}
