/* Debian's musl has no <crypt.h>. This one has what libxcrypt's has, for the methods of musl. */
#ifndef _CRYPT_H
#define _CRYPT_H

#ifdef __cplusplus
extern "C" {
#endif

#define CRYPT_OUTPUT_SIZE 384
#define CRYPT_MAX_PASSPHRASE_SIZE 512
#define CRYPT_GENSALT_OUTPUT_SIZE 192
#define CRYPT_SALT_OK 0
#define CRYPT_SALT_INVALID 1
#define CRYPT_SALT_METHOD_DISABLED 2
#define CRYPT_SALT_METHOD_LEGACY 3
#define CRYPT_SALT_TOO_CHEAP 4

struct crypt_data {
  char output[CRYPT_OUTPUT_SIZE];
  char setting[CRYPT_OUTPUT_SIZE];
  char input[CRYPT_MAX_PASSPHRASE_SIZE];
  char initialized;
  char reserved[767];
  char internal[30720];
};

char *crypt(const char *, const char *);
char *crypt_r(const char *, const char *, struct crypt_data *);
char *crypt_rn(const char *, const char *, void *, int);
char *crypt_ra(const char *, const char *, void **, int *);
char *crypt_gensalt(const char *, unsigned long, const char *, int);
char *crypt_gensalt_rn(const char *, unsigned long, const char *, int, char *, int);
char *crypt_gensalt_ra(const char *, unsigned long, const char *, int);
#define crypt_gensalt_r crypt_gensalt_rn
int crypt_checksalt(const char *);
const char *crypt_preferred_method(void);

#ifdef __cplusplus
}
#endif

#endif
