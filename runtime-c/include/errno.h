/* errno and the few values that the freestanding runtime sets; numbers are Linux's. */
#ifndef EVERETT_ERRNO_H
#define EVERETT_ERRNO_H

#define ENOMEM 12
#define EINVAL 22
#define ERANGE 34

#ifdef __cplusplus
extern "C" {
#endif

int *__errno_location(void);

#ifdef __cplusplus
}
#endif

#define errno (*__errno_location())

#endif
