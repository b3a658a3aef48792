// sigaltstack: set, told, disabled; too small is ENOMEM, unknown flags EINVAL; SA_ONSTACK still handles.
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

static volatile sig_atomic_t caught;

static void handler(int signal_) { caught += signal_ == SIGUSR1; }

static void say(const char *what, int result) {
  const char *error = errno == ENOMEM   ? "ENOMEM"
                      : errno == EINVAL ? "EINVAL"
                      : errno == EPERM  ? "EPERM"
                                        : "other";
  printf("%s: %s\n", what, result < 0 ? error : "ok");
}

int main(void) {
  size_t size = 65536;
  char *memory = malloc(size);
  stack_t stack = {.ss_sp = memory, .ss_size = size}, old;
  say("get", sigaltstack(NULL, &old));
  printf("disabled %d\n", old.ss_flags == SS_DISABLE);
  say("set", sigaltstack(&stack, NULL));
  say("get", sigaltstack(NULL, &old));
  printf("%d %d %d\n", old.ss_sp == memory, old.ss_size == size, old.ss_flags);
  struct sigaction action = {.sa_handler = handler, .sa_flags = SA_ONSTACK};
  sigaction(SIGUSR1, &action, NULL);
  raise(SIGUSR1);
  printf("caught %d\n", (int)caught);
  stack.ss_size = 100;
  say("small", sigaltstack(&stack, NULL));
  stack.ss_size = size;
  stack.ss_flags = 0x40;
  say("flags", sigaltstack(&stack, NULL));
  stack.ss_flags = SS_DISABLE;
  say("disable", sigaltstack(&stack, &old));
  printf("%d\n", old.ss_sp == memory);
  sigaltstack(NULL, &old);
  printf("disabled %d\n", old.ss_flags == SS_DISABLE);
  raise(SIGUSR1);
  printf("caught %d\n", (int)caught);
  free(memory);
  return 0;
}
