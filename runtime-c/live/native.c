/*
 * The functions by which a gateway talks to its peer, in a native replay: what the peer has answered comes from
 * the test, and nobody is told anything.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "protocol.h"

/* There in a replay (runtime-c/replay/hooks.c): puts the next answer there, and returns its size. */
__attribute__((weak)) size_t everett_replay_answer(void *to, size_t capacity);

size_t __everett_live_listen(void *event, size_t capacity)
{
    if (!everett_replay_answer) {
        fputs("this is the program of a live node: run its tests with everett replay --native\n", stderr);
        exit(1);
    }
    return everett_replay_answer(event, capacity);
}

int __everett_live_open(unsigned endpoint)
{
    uint32_t event[3];
    (void)endpoint;
    __everett_live_listen(event, sizeof event);
    return event[0] == OPENED ? (int)event[1] : -1;
}

bool __everett_live_send(unsigned connection, const void *bytes, size_t size, int how)
{
    (void)connection, (void)bytes, (void)size, (void)how;
    return true;
}

size_t __everett_live_relay(int fd, unsigned connection, size_t bytes_max)
{
    (void)fd, (void)connection, (void)bytes_max;
    return 0;
}

void __everett_live_close(unsigned connection, int how)
{
    (void)connection, (void)how;
}
