/* Sockets and other descriptors: what their calls have in common. */
#ifndef EVERETT_REPLAY_SOCKET_H
#define EVERETT_REPLAY_SOCKET_H

#include "../turn.h"

/* Descriptors of the library's own are above those of programs, for which they are not there. The first two are ends
 * of a pair of sockets that every process of a node inherits; see sockets.c. */
int is_own(int fd);
long own_copy(int fd);
void own_close(int fd);

/* An address word of a script: address and port, in host byte order. */
static inline uint32_t word_ip(uint64_t word) { return (uint32_t)(word >> 16); }
static inline uint16_t word_port(uint64_t word) { return (uint16_t)word; }

/* Sockets of IPv6 are natively ones of IPv4. In the script, the address of IPv4 of an interface stands for that of
 * IPv6, and a word says how the program sees it. */
static inline int word_is_mapped(uint64_t word) { return word >> 48 & 1; }
static inline int word_is_ipv6(uint64_t word) { return word >> 49 & 1; }

/* True if an address is one of the Internet, of either family. */
int is_internet(const struct address *address, uint32_t size);

/* Gives the address of a word to the program as it knows it. */
void give_known_address(uint64_t word, void *to, uint32_t *room);

/* Where an address really is. That is another one if all nodes are on one network stack. */
struct address native_address(uint32_t ip, uint16_t port);

/* Where a program that names an address really means: one of IPv6 is that of the word. */
struct address native_meaning(const struct address *named, uint64_t word);

/* True if what comes from a native address comes from the host of a script's address, and its port. */
int comes_from(const struct address *native, uint64_t word);

/* True if packets for an address go to several nodes; only asked if all are on one network stack. */
int goes_to_many(uint32_t ip);

/* Calls back with the native address of each node. */
void each_node(void (*visit)(void *of, uint32_t native_ip), void *of);

static inline int on_loopback(void) { return script->own[OWN_LOOPBACK] != 0; }

/* True if calls on a descriptor are in the script: it is neither a file nor a standard stream. */
int is_outside(int fd);

/* True if a descriptor is a device: what is read from it is in the script. */
int is_device(int fd);

/* Gives a descriptor the number that the script has. */
int numbered(int fd, int64_t number, int close_on_exec);

/* Binds a socket that is not bound to the address that it has in the script. */
void bind_to_own(int fd, uint64_t own);

/* Gives an address to the program, as much of it as it has room for. */
void give_address(const void *address, uint32_t size, void *to, uint32_t *room);

/* Waits until a descriptor is ready; 0 if it is not in time. */
int wait_ready(int fd, int events, uint64_t until_ns);

/* Keeps a datagram for its receiver, who is not there yet. */
void keep_early(const event *sent, const struct msghdr_ *message);

/* Everything that takes or gives bytes, with the flags of the call. */
long receive(unsigned api, int fd, struct msghdr_ *message, int flags);
long transmit(unsigned api, int fd, const struct msghdr_ *message, int flags);

/* The same after the event was taken: for functions of stdio on a socket. */
long receive_event(const event *e, int fd, struct msghdr_ *message, int flags);
long transmit_event(const event *e, int fd, const struct msghdr_ *message, int flags);

/* A descriptor is given up. */
void descriptor_gone(int fd);

/* A new pipe, as pipe2 makes it. */
int piped(unsigned api, int ends[2], int flags);

/* True if a descriptor is that of a stream whose reading and writing is done here (streams.c). */
int is_stream(int fd);

/* Reads and writes for a standard stream that is a pipe or a socket; what is left over of the last event, as the C
 * libraries do not agree on how much is written at once. */
enum { STANDARD_STREAMS = 3 };
long standard_read(int fd, const struct iovec_ *vector, int count);
long standard_write(int fd, const struct iovec_ *vector, int count);
int standard_has_more(int fd);

/* The functions of the C library that make processes, and one of them. */
typedef int spawns(int *pid, const char *file, const void *actions, const void *attributes, char *const *arguments,
                   char *const *environment);
spawns posix_spawn;

/* A child that `real` makes; an error number, as posix_spawn returns it. */
int spawned(unsigned api, spawns *real, int *pid, const char *file, const void *actions, const void *attributes,
            char *const *arguments, char *const *environment);

/* The end of a child; `leave` if it is still to be waited for. */
long waited(unsigned api, int *status, int leave);

#endif
