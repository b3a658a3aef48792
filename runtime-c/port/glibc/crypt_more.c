/* The functions on passwords that libxcrypt has beside crypt(3): settings are made and judged here, and
 * musl's crypt does the work. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

struct crypt_data;
char *crypt(const char *, const char *);
char *crypt_r(const char *, const char *, struct crypt_data *);

/* The size of the caller's structure, and what it begins with: the room for a result. */
enum { DATA_SIZE = 32768, RESULT_SIZE = 384, SALT_SIZE = 192 };

static const char digits[] = "./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

static char *hashed(const char *key, const char *setting, char *to) {
  char *result = setting[0] == '*' ? NULL : crypt(key, setting);
  if (!result || result[0] == '*') {
    errno = EINVAL;
    return NULL;
  }
  return strcpy(to, result);
}
char *crypt_rn(const char *key, const char *setting, void *data, int size) {
  if (size < RESULT_SIZE) {
    errno = ERANGE;
    return NULL;
  }
  return hashed(key, setting, data);
}
char *crypt_ra(const char *key, const char *setting, void **data, int *size) {
  if (!*data || *size < DATA_SIZE) {
    void *grown = realloc(*data, DATA_SIZE);
    if (!grown)
      return NULL;
    *data = grown;
    *size = DATA_SIZE;
  }
  return crypt_rn(key, setting, *data, *size);
}
char *xcrypt(const char *key, const char *setting) { return crypt(key, setting); }
char *xcrypt_r(const char *key, const char *setting, struct crypt_data *data) { return crypt_r(key, setting, data); }
char *fcrypt(const char *key, const char *setting) { return crypt(key, setting); }

/* The methods of musl. yescrypt, which libxcrypt prefers, is not among them. */
const char *crypt_preferred_method(void) { return "$6$"; }

int crypt_checksalt(const char *setting) {
  if (!setting || !*setting)
    return 1;
  if (setting[0] != '$')
    return setting[0] == '_' || (strchr(digits, setting[0]) && setting[1] && strchr(digits, setting[1])) ? 3 : 1;
  if (!strncmp(setting, "$1$", 3))
    return 3;
  if (!strncmp(setting, "$5$", 3) || !strncmp(setting, "$6$", 3))
    return 0;
  if (setting[1] == '2' && setting[2] && strchr("abxy", setting[2]) && setting[3] == '$')
    return setting[2] == 'x' ? 3 : 0;
  return 1;
}

/* 6 bits a character, for each 3 bytes that others come after. */
static void put_salt(char *to, const unsigned char *bytes, size_t n, size_t most) {
  for (size_t i = 0; i + 3 < n && i < most; i += 3) {
    uint32_t word = bytes[i] | bytes[i + 1] << 8 | (uint32_t)bytes[i + 2] << 16;
    for (int j = 0; j < 4; j++, word >>= 6)
      *to++ = digits[word & 63];
  }
  *to = 0;
}
static void put_bcrypt_salt(char *to, const unsigned char *bytes) {
  static const char order[] = "./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
  unsigned have = 0, word = 0, at = 0;
  for (int i = 0; i < 22; i++) {
    if (have < 6) {
      word = word << 8 | (at < 16 ? bytes[at] : 0);
      at++;
      have += 8;
    }
    have -= 6;
    *to++ = order[word >> have & 63];
  }
  *to = 0;
}

char *crypt_gensalt_rn(const char *prefix, unsigned long count, const char *random, int n, char *to, int size) {
  unsigned char drawn[64];
  if (!prefix)
    prefix = crypt_preferred_method();
  if (!random) {
    n = 16;
    if (getrandom(drawn, n, 0) != n)
      return NULL;
    random = (const char *)drawn;
  }
  const unsigned char *bytes = (const unsigned char *)random;
  char made[SALT_SIZE];
  if (!strncmp(prefix, "$2", 2) && prefix[2] && strchr("abxy", prefix[2]) && prefix[3] == '$') {
    if (n < 16 || (count && (count < 4 || count > 31)))
      goto invalid;
    sprintf(made, "$2%c$%02lu$", prefix[2], count ? count : 5);
    put_bcrypt_salt(made + 7, bytes);
  } else if (!strncmp(prefix, "$5$", 3) || !strncmp(prefix, "$6$", 3)) {
    if (n < 3)
      goto invalid;
    int used = sprintf(made, "$%c$", prefix[1]);
    if (count && count != 5000)
      used += sprintf(made + used, "rounds=%lu$", count < 1000 ? 1000 : count > 999999999 ? 999999999 : count);
    put_salt(made + used, bytes, n, 12);
  } else if (!strncmp(prefix, "$1$", 3)) {
    if (n < 3 || (count && count != 1000))
      goto invalid;
    put_salt(made + sprintf(made, "$1$"), bytes, n, 6);
  } else if (prefix[0] == '_') {
    if (n < 3)
      goto invalid;
    uint32_t rounds = (count ? count : 725) | 1;
    made[0] = '_';
    for (int i = 0; i < 4; i++, rounds >>= 6)
      made[1 + i] = digits[rounds & 63];
    put_salt(made + 5, bytes, 4, 3);
  } else if (!prefix[0] || (strchr(digits, prefix[0]) && prefix[1] && strchr(digits, prefix[1]))) {
    if (n < 2 || (count && count != 25))
      goto invalid;
    made[0] = digits[bytes[0] & 63];
    made[1] = digits[bytes[1] & 63];
    made[2] = 0;
  } else
    goto invalid;
  if (size <= 0 || strlen(made) >= (size_t)size) {
    errno = ERANGE;
    return NULL;
  }
  return strcpy(to, made);
invalid:
  errno = EINVAL;
  return NULL;
}
char *crypt_gensalt_r(const char *prefix, unsigned long count, const char *random, int n, char *to, int size) {
  return crypt_gensalt_rn(prefix, count, random, n, to, size);
}
char *crypt_gensalt(const char *prefix, unsigned long count, const char *random, int n) {
  static char made[SALT_SIZE];
  return crypt_gensalt_rn(prefix, count, random, n, made, sizeof made);
}
char *crypt_gensalt_ra(const char *prefix, unsigned long count, const char *random, int n) {
  char made[SALT_SIZE];
  return crypt_gensalt_rn(prefix, count, random, n, made, sizeof made) ? strdup(made) : NULL;
}
char *xcrypt_gensalt(const char *prefix, unsigned long count, const char *random, int n) {
  return crypt_gensalt(prefix, count, random, n);
}
char *xcrypt_gensalt_r(const char *prefix, unsigned long count, const char *random, int n, char *to, int size) {
  return crypt_gensalt_rn(prefix, count, random, n, to, size);
}
