/* glibc's inner names of formatted input and output. */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int __vsnprintf(char *to, size_t n, const char *format, va_list args) { return vsnprintf(to, n, format, args); }
int __vsscanf(const char *from, const char *format, va_list args) { return vsscanf(from, format, args); }
int __vfscanf(FILE *file, const char *format, va_list args) { return vfscanf(file, format, args); }
int __asprintf(char **to, const char *format, ...) {
  va_list args;
  va_start(args, format);
  int n = vasprintf(to, format, args);
  va_end(args);
  return n;
}
int _IO_vfprintf(FILE *file, const char *format, va_list args) { return vfprintf(file, format, args); }
int _IO_vsprintf(char *to, const char *format, va_list args) { return vsprintf(to, format, args); }
int _IO_printf(const char *format, ...) {
  va_list args;
  va_start(args, format);
  int n = vprintf(format, args);
  va_end(args);
  return n;
}
int _IO_fprintf(FILE *file, const char *format, ...) {
  va_list args;
  va_start(args, format);
  int n = vfprintf(file, format, args);
  va_end(args);
  return n;
}
int _IO_sprintf(char *to, const char *format, ...) {
  va_list args;
  va_start(args, format);
  int n = vsprintf(to, format, args);
  va_end(args);
  return n;
}
int _IO_sscanf(const char *from, const char *format, ...) {
  va_list args;
  va_start(args, format);
  int n = vsscanf(from, format, args);
  va_end(args);
  return n;
}
int _IO_puts(const char *text) { return puts(text); }
int _IO_fputs(const char *text, FILE *file) { return fputs(text, file); }
char *_IO_fgets(char *to, int n, FILE *file) { return fgets(to, n, file); }
size_t _IO_fread(void *to, size_t size, size_t n, FILE *file) { return fread(to, size, n, file); }
size_t _IO_fwrite(const void *from, size_t size, size_t n, FILE *file) { return fwrite(from, size, n, file); }
FILE *_IO_fopen(const char *path, const char *mode) { return fopen(path, mode); }
FILE *_IO_fdopen(int fd, const char *mode) { return fdopen(fd, mode); }
FILE *_IO_popen(const char *command, const char *mode) { return popen(command, mode); }
int _IO_fclose(FILE *file) { return fclose(file); }
int _IO_fflush(FILE *file) { return fflush(file); }
long _IO_ftell(FILE *file) { return ftell(file); }
int _IO_feof(FILE *file) { return feof(file); }
int _IO_ferror(FILE *file) { return ferror(file); }
int _IO_ungetc(int c, FILE *file) { return ungetc(c, file); }
void _IO_flockfile(FILE *file) { flockfile(file); }
int _IO_ftrylockfile(FILE *file) { return ftrylockfile(file); }
void _IO_funlockfile(FILE *file) { funlockfile(file); }
int _IO_setvbuf(FILE *file, char *buffer, int mode, size_t n) { return setvbuf(file, buffer, mode, n); }
void _IO_setbuffer(FILE *file, char *buffer, size_t n) { setvbuf(file, buffer, buffer ? _IOFBF : _IONBF, n); }
void _IO_flush_all_linebuffered(void) { fflush(0); }
int _IO_flush_all(void) { return fflush(0); }
int _IO_fgetpos(FILE *file, fpos_t *to) { return fgetpos(file, to); }
int _IO_fgetpos64(FILE *file, fpos_t *to) { return fgetpos(file, to); }
int _IO_fsetpos(FILE *file, const fpos_t *from) { return fsetpos(file, from); }
int _IO_fsetpos64(FILE *file, const fpos_t *from) { return fsetpos(file, from); }
size_t _IO_sgetn(FILE *file, void *to, size_t n) { return fread(to, 1, n, file); }
int _IO_peekc_locked(FILE *file) {
  int c = getc(file);
  return c == EOF ? EOF : ungetc(c, file);
}
