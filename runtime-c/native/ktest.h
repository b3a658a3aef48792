/* Reader of .ktest files, versions 1 to 3. */
#ifndef EVERETT_NATIVE_KTEST_H
#define EVERETT_NATIVE_KTEST_H

#include <stddef.h>
#include <stdint.h>

struct ktest_object {
  char *name;
  unsigned char *bytes;
  uint32_t size;
};

struct ktest {
  char **args;
  uint32_t arg_count;
  struct ktest_object *objects;
  uint32_t object_count;
};

/* Reads the file at path into *out. Returns NULL, or a message that says what is wrong with it. */
const char *ktest_read(const char *path, struct ktest *out);

#endif
