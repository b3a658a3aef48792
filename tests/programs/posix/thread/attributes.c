// Thread attributes: stack size, guard, detach state; what is too small is EINVAL; a big stack is usable.
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static void *use_stack(void *none) {
  volatile char big[600000];
  memset((char *)big, 1, sizeof big);
  return (void *)(intptr_t)(none == NULL ? big[0] + big[sizeof big - 1] : 0);
}

int main(void) {
  pthread_attr_t attributes;
  pthread_t thread;
  size_t size;
  int state;
  void *result;
  pthread_attr_init(&attributes);
  printf("%s\n", pthread_attr_setstacksize(&attributes, 100) == EINVAL ? "EINVAL" : "other");
  printf("%d\n", pthread_attr_setstacksize(&attributes, 1 << 20));
  pthread_attr_getstacksize(&attributes, &size);
  printf("%zu\n", size);
  printf("%d\n", pthread_attr_setguardsize(&attributes, 8192));
  pthread_attr_getguardsize(&attributes, &size);
  printf("%zu\n", size);
  printf("%s\n", pthread_attr_setdetachstate(&attributes, 99) == EINVAL ? "EINVAL" : "other");
  pthread_attr_getdetachstate(&attributes, &state);
  printf("%d\n", state == PTHREAD_CREATE_JOINABLE);
  printf("%d\n", pthread_create(&thread, &attributes, use_stack, NULL));
  pthread_join(thread, &result);
  printf("%d\n", (int)(intptr_t)result);
  pthread_attr_destroy(&attributes);
  return 0;
}
