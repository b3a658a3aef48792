/*
 * The program of a live node: it stands for a peer that is real, and runs elsewhere.
 *
 * Towards the other nodes it is an ordinary program, with the sockets that the peer has. What comes in on
 * them is said to the peer, and what the peer answers is sent. So everything that holds for messages of
 * programs (orders, faults, latencies) holds for those of the peer.
 *
 * The peer is asked when nothing more happens at the present moment of virtual time: not before everything
 * was said that is said at once, and always at the same place of a conversation. Real time does not pass
 * here. Whether it accepts a connection it is asked at once, and the request is answered as it says.
 *
 * Each argument is an endpoint of the peer, in the order of their numbers: "tcp:PORT" and "udp:PORT", where
 * it listens, and "connect:HOST:PORT", where it connects to.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "protocol.h"

/* The engine implements these. All of them act at the node's place in the conversation, and move it. */

/* Opens a connection to an endpoint, and returns its number, or -1 if the peer refuses it. */
int __everett_live_open(unsigned endpoint);
/* Sends bytes, and returns true if it has. Symbolic ones have one value afterwards. */
bool __everett_live_send(unsigned connection, const void *bytes, size_t size, enum sending how);
/* Sends what has come on a socket, up to so many bytes, and returns how many: 0 if they have to be received. */
size_t __everett_live_relay(int fd, unsigned connection, size_t bytes_max);
void __everett_live_close(unsigned connection, int how);
/* Waits for the peer, and returns the size of the event. */
size_t __everett_live_listen(void *event, size_t capacity);

struct event {
    uint32_t kind;
    uint32_t connection;
    uint32_t endpoint;
    unsigned char bytes[1 << 16];
};

/* Simulated sockets have options by which the program decides about requests for connections before they are
 * answered (crates/posix/src/net/tcp/decision.rs). In a native replay, only connections that were admitted are made.
 * This is what TCP_FIRST_REQUEST tells. A request has departed if it was admitted and nothing has come of it. */
struct request {
    enum { NO_REQUEST, WAITS, DEPARTED } what;
    struct sockaddr_in from;
};

#define EVENT_HEADER offsetof(struct event, bytes)

/* Bytes that wait for the program to read before the peer is not listened to. */
#define WAITING_BYTES_MAX (1 << 20)
/* The virtual time after which a moment is over, in nanoseconds. */
#define MOMENT_NS 1000

enum endpoint_kind { LISTENS_TCP, LISTENS_UDP, CONNECTS };

struct endpoint {
    enum endpoint_kind kind;
    int fd;
    struct sockaddr_in address;
};

/* A connection or a datagram flow: a socket of ours, and its number in the conversation. */
struct link {
    int fd; /* -1 before a connection that was admitted is there */
    unsigned connection;
    bool is_flow;
    struct sockaddr_in other; /* of a flow, and of a connection that was admitted */
    bool is_connecting;
    bool said_end;   /* the program sends nothing more, and the peer knows */
    bool heard_end;  /* the peer sends nothing more */
    unsigned char *waiting; /* bytes of the peer that the program has no room for */
    size_t waiting_from, waiting_to, waiting_capacity;
};

/* Something that is to be said when the moment is over, as it is symbolic or comes behind such a thing. */
struct unsaid {
    unsigned connection;
    enum sending how;
    size_t size;
    unsigned char *bytes;
};

static struct endpoint *endpoints;
static unsigned endpoint_count;
static struct link *links;
static unsigned link_count, link_capacity;
static struct unsaid *unsaid;
static unsigned unsaid_count, unsaid_capacity;
static struct pollfd *polled;
static struct event event;
static unsigned char received[1 << 16];

static void give_up(const char *what)
{
    perror(what);
    exit(1);
}

static void *grown(void *array, unsigned *capacity, size_t element)
{
    *capacity = *capacity ? 2 * *capacity : 8;
    array = realloc(array, *capacity * element);
    if (!array)
        give_up("realloc");
    return array;
}

/* Says something to the peer, which is not told before somebody listens. What is symbolic is said when it is known
 * whether it is the last thing at this moment: then only one is followed of values that are answered alike. */
static void say(unsigned connection, const void *bytes, size_t size, bool is_datagram)
{
    enum sending how = is_datagram ? AS_DATAGRAM : STREAM;
    if (unsaid_count == 0 && __everett_live_send(connection, bytes, size, how | IF_KNOWN))
        return;
    if (unsaid_count == unsaid_capacity)
        unsaid = grown(unsaid, &unsaid_capacity, sizeof *unsaid);
    struct unsaid *new = &unsaid[unsaid_count++];
    *new = (struct unsaid){connection, how, size, malloc(size ? size : 1)};
    if (!new->bytes)
        give_up("malloc");
    memcpy(new->bytes, bytes, size);
}

/* Says everything that is to be said. The peer is listened to next, or something else is done to it at this
 * moment. */
static void say_all(bool is_heard_next)
{
    for (unsigned i = 0; i < unsaid_count; i++) {
        struct unsaid *next = &unsaid[i];
        enum sending how = next->how;
        if (is_heard_next && i + 1 == unsaid_count)
            how |= LAST;
        __everett_live_send(next->connection, next->bytes, next->size, how);
        free(next->bytes);
    }
    unsaid_count = 0;
}

/* Ends the stream of a connection, behind what is to be said on it. */
static void say_end(unsigned connection)
{
    struct unsaid *last = unsaid_count > 0 ? &unsaid[unsaid_count - 1] : NULL;
    if (last && last->connection == connection && !(last->how & AS_DATAGRAM)) {
        last->how |= ENDS_STREAM;
        return;
    }
    say_all(false);
    __everett_live_close(connection, FINISH);
}

static struct link *add_link(int fd, unsigned connection)
{
    if (link_count == link_capacity)
        links = grown(links, &link_capacity, sizeof *links);
    struct link *link = &links[link_count++];
    *link = (struct link){.fd = fd, .connection = connection};
    return link;
}

/* Ends a connection on our side. The last link takes its place in the list. */
static void remove_link(struct link *link, bool resets)
{
    if (resets && link->fd >= 0) {
        struct linger now = {1, 0};
        setsockopt(link->fd, SOL_SOCKET, SO_LINGER, &now, sizeof now);
    }
    if (!link->is_flow && link->fd >= 0)
        close(link->fd);
    free(link->waiting);
    *link = links[--link_count];
}

static struct link *link_of(unsigned connection)
{
    for (unsigned i = 0; i < link_count; i++)
        if (links[i].connection == connection)
            return &links[i];
    return NULL;
}

/* The program has reset a connection, or is gone. What it has said before is said first. */
static void abort_link(struct link *link)
{
    say_all(false);
    __everett_live_close(link->connection, ABORT);
    remove_link(link, true);
}

/* Ends a connection on which both sides have said all. */
static void remove_if_over(struct link *link)
{
    if (!link->said_end || !link->heard_end || link->waiting_from < link->waiting_to)
        return;
    say_all(false);
    __everett_live_close(link->connection, CLOSE);
    remove_link(link, false);
}

/* Sends what waits, as far as there is room. Returns false if the connection is gone. */
static bool send_waiting(struct link *link)
{
    while (link->waiting_from < link->waiting_to) {
        ssize_t sent = send(link->fd, link->waiting + link->waiting_from,
                            link->waiting_to - link->waiting_from, MSG_NOSIGNAL);
        if (sent < 0 && (errno == EAGAIN || errno == EINTR))
            return true;
        if (sent < 0) {
            abort_link(link);
            return false;
        }
        link->waiting_from += sent;
    }
    link->waiting_from = link->waiting_to = 0;
    if (link->heard_end)
        shutdown(link->fd, SHUT_WR);
    return true;
}

/* Puts bytes of the peer behind those that wait. */
static void add_waiting(struct link *link, const unsigned char *bytes, size_t size)
{
    if (link->waiting_to + size > link->waiting_capacity) {
        size_t kept = link->waiting_to - link->waiting_from;
        unsigned char *larger = malloc(kept + size);
        if (!larger)
            give_up("malloc");
        if (kept)
            memcpy(larger, link->waiting + link->waiting_from, kept);
        free(link->waiting);
        link->waiting = larger;
        link->waiting_capacity = kept + size;
        link->waiting_from = 0;
        link->waiting_to = kept;
    }
    memcpy(link->waiting + link->waiting_to, bytes, size);
    link->waiting_to += size;
}

/* Sends bytes of the peer; those that there is no room for wait. */
static void send_bytes(struct link *link, const unsigned char *bytes, size_t size)
{
    if (link->waiting_from == link->waiting_to && !link->is_connecting) {
        ssize_t sent = send(link->fd, bytes, size, MSG_NOSIGNAL);
        if (sent < 0 && errno != EAGAIN && errno != EINTR) {
            abort_link(link);
            return;
        }
        if (sent > 0) {
            bytes += sent;
            size -= sent;
        }
    }
    if (size)
        add_waiting(link, bytes, size);
}

static bool is_stuffed(void)
{
    for (unsigned i = 0; i < link_count; i++)
        if (links[i].waiting_to - links[i].waiting_from > WAITING_BYTES_MAX)
            return true;
    return false;
}

static bool is_same(const struct sockaddr_in *one, const struct sockaddr_in *other)
{
    return one->sin_port == other->sin_port && one->sin_addr.s_addr == other->sin_addr.s_addr;
}

/* The link of a connection that was admitted and is not there yet. */
static struct link *admitted(const struct sockaddr_in *from)
{
    for (unsigned i = 0; i < link_count; i++)
        if (links[i].fd < 0 && is_same(&links[i].other, from))
            return &links[i];
    return NULL;
}

/* Asks the peer whether it accepts a connection, and tells the program. */
static void decide(unsigned endpoint, const struct sockaddr_in *from)
{
    say_all(false);
    int connection = __everett_live_open(endpoint);
    int admits = connection >= 0;
    if (admits) {
        struct link *link = add_link(-1, connection);
        link->other = *from;
        link->is_connecting = true;
    }
    setsockopt(endpoints[endpoint].fd, IPPROTO_TCP, TCP_ADMITS, &admits, sizeof admits);
}

/* Decides about the requests of programs for connections. */
static void take_requests(unsigned endpoint)
{
    for (;;) {
        struct request request;
        socklen_t size = sizeof request;
        if (getsockopt(endpoints[endpoint].fd, IPPROTO_TCP, TCP_FIRST_REQUEST, &request, &size) != 0)
            give_up("getsockopt");
        if (request.what == NO_REQUEST)
            return;
        struct link *link = request.what == DEPARTED ? admitted(&request.from) : NULL;
        if (request.what == WAITS)
            decide(endpoint, &request.from);
        else if (link)
            abort_link(link);
    }
}

/* Takes a connection that was admitted. */
static void take_connection(unsigned endpoint)
{
    struct sockaddr_in from;
    socklen_t length = sizeof from;
    int fd = accept(endpoints[endpoint].fd, (struct sockaddr *)&from, &length);
    if (fd < 0)
        return;
    fcntl(fd, F_SETFL, O_NONBLOCK);
    struct link *link = admitted(&from);
    if (!link) {
        /* The peer has broken it off meanwhile. */
        remove_link(add_link(fd, 0), true);
        return;
    }
    link->fd = fd;
    link->is_connecting = false;
    if (send_waiting(link))
        remove_if_over(link);
}

/* The link of a datagram flow; it begins with the first datagram of a sender. */
static struct link *flow_of(unsigned endpoint, const struct sockaddr_in *other)
{
    for (unsigned i = 0; i < link_count; i++) {
        const struct link *link = &links[i];
        if (link->is_flow && link->fd == endpoints[endpoint].fd && is_same(&link->other, other))
            return &links[i];
    }
    say_all(false);
    int connection = __everett_live_open(endpoint);
    if (connection < 0)
        return NULL;
    struct link *link = add_link(endpoints[endpoint].fd, connection);
    link->is_flow = true;
    link->other = *other;
    return link;
}

static void take_datagram(unsigned endpoint)
{
    struct sockaddr_in other;
    socklen_t length = sizeof other;
    ssize_t size = recvfrom(endpoints[endpoint].fd, received, sizeof received, 0,
                            (struct sockaddr *)&other, &length);
    if (size < 0)
        return;
    struct link *link = flow_of(endpoint, &other);
    if (link)
        say(link->connection, received, size, true);
}

/* Takes what a program sends on a connection. */
static void take_bytes(struct link *link)
{
    if (unsaid_count == 0 && __everett_live_relay(link->fd, link->connection, sizeof received) > 0)
        return;
    ssize_t size = recv(link->fd, received, sizeof received, 0);
    if (size > 0) {
        say(link->connection, received, size, false);
    } else if (size == 0) {
        say_end(link->connection);
        link->said_end = true;
        remove_if_over(link);
    } else if (errno != EAGAIN && errno != EINTR) {
        abort_link(link);
    }
}

/* Goes on with a connection on which something has happened. */
static void go_on(struct link *link, short events)
{
    if (link->is_connecting) {
        int error = 0;
        socklen_t length = sizeof error;
        getsockopt(link->fd, SOL_SOCKET, SO_ERROR, &error, &length);
        if (error) {
            abort_link(link);
            return;
        }
        link->is_connecting = false;
    }
    if (events & POLLOUT) {
        unsigned connection = link->connection;
        if (!send_waiting(link))
            return;
        remove_if_over(link);
        if (link_of(connection) != link)
            return;
    }
    if (events & (POLLIN | POLLERR | POLLHUP) && !link->said_end)
        take_bytes(link);
    else if (events & POLLERR)
        abort_link(link);
}

/* Waits until something comes from a program, or the moment is over. */
static int wait_for_programs(bool ends_moment)
{
    unsigned count = 0;
    polled = realloc(polled, (endpoint_count + link_count + 1) * sizeof *polled);
    if (!polled)
        give_up("realloc");
    for (unsigned i = 0; i < endpoint_count; i++)
        polled[count++] = (struct pollfd){endpoints[i].fd, POLLIN | POLLPRI, 0};
    for (unsigned i = 0; i < link_count; i++) {
        const struct link *link = &links[i];
        short events = link->said_end || link->is_connecting ? 0 : POLLIN;
        if (link->is_connecting || link->waiting_from < link->waiting_to)
            events |= POLLOUT;
        bool is_watched = !link->is_flow && events;
        polled[count++] = (struct pollfd){is_watched ? link->fd : -1, events, 0};
    }
    struct timespec moment = {0, MOMENT_NS};
    return ppoll(polled, count, ends_moment ? &moment : NULL, NULL);
}

static void take_all(void)
{
    /* From the back: a link that goes away is replaced by the last one, which has had its turn. */
    for (unsigned i = link_count; i-- > 0;) {
        short events = polled[endpoint_count + i].revents;
        if (events)
            go_on(&links[i], events);
    }
    for (unsigned i = 0; i < endpoint_count; i++) {
        short events = polled[i].revents;
        if (events & POLLPRI)
            take_requests(i);
        if (events & POLLIN && endpoints[i].kind == LISTENS_TCP)
            take_connection(i);
        else if (events & ~POLLPRI)
            take_datagram(i);
    }
}

/* The peer connects to a program. */
static void connect_to_program(void)
{
    const struct endpoint *endpoint = &endpoints[event.endpoint];
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    if (fd < 0)
        give_up("socket");
    struct link *link = add_link(fd, event.connection);
    const struct sockaddr *address = (const struct sockaddr *)&endpoint->address;
    if (connect(fd, address, sizeof endpoint->address) == 0)
        return;
    if (errno == EINPROGRESS)
        link->is_connecting = true;
    else
        abort_link(link);
}

/* The peer is not there any more: what it has sent arrives, and nobody answers. */
static void leave(void)
{
    for (unsigned i = 0; i < link_count; i++) {
        struct link *link = &links[i];
        if (!link->is_flow && link->fd >= 0 && link->waiting_from < link->waiting_to) {
            fcntl(link->fd, F_SETFL, 0);
            send_waiting(link);
        }
    }
    exit(0);
}

/* Returns true if something may come from the peer. */
static bool is_listening(void)
{
    for (unsigned i = 0; i < endpoint_count; i++)
        if (endpoints[i].kind == CONNECTS)
            return !is_stuffed();
    for (unsigned i = 0; i < link_count; i++)
        if (!links[i].heard_end)
            return !is_stuffed();
    return false;
}

/* Asks the peer, and returns false if it is silent. */
static bool hear(void)
{
    size_t size = __everett_live_listen(&event, sizeof event) - EVENT_HEADER;
    struct link *link = link_of(event.connection);
    switch (event.kind) {
    case CONNECTED:
        connect_to_program();
        return true;
    case BYTES:
        if (link)
            send_bytes(link, event.bytes, size);
        return true;
    case DATAGRAM:
        if (link)
            sendto(link->fd, event.bytes, size, 0, (struct sockaddr *)&link->other,
                   sizeof link->other);
        return true;
    case END_OF_STREAM:
        if (link) {
            link->heard_end = true;
            if (!link->is_connecting && link->waiting_from == link->waiting_to)
                shutdown(link->fd, SHUT_WR);
            remove_if_over(link);
        }
        return true;
    case RESET:
    case REFUSED:
        if (link)
            remove_link(link, true);
        return true;
    case GONE:
        leave();
        return false;
    default:
        return false;
    }
}

static void add_endpoint(struct endpoint *endpoint, const char *text)
{
    const char *colon = strrchr(text, ':');
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(atoi(colon + 1))};
    *endpoint = (struct endpoint){.fd = -1, .address = address};
    if (strncmp(text, "connect:", 8) == 0) {
        char host[256];
        snprintf(host, sizeof host, "%.*s", (int)(colon - text - 8), text + 8);
        struct addrinfo wanted = {.ai_family = AF_INET, .ai_socktype = SOCK_STREAM}, *found;
        if (getaddrinfo(host, NULL, &wanted, &found) != 0)
            give_up(host);
        endpoint->kind = CONNECTS;
        endpoint->address.sin_addr = ((struct sockaddr_in *)found->ai_addr)->sin_addr;
        freeaddrinfo(found);
        return;
    }
    endpoint->kind = strncmp(text, "udp:", 4) == 0 ? LISTENS_UDP : LISTENS_TCP;
    int type = endpoint->kind == LISTENS_UDP ? SOCK_DGRAM : SOCK_STREAM;
    endpoint->fd = socket(AF_INET, type | SOCK_NONBLOCK, 0);
    int on = 1;
    setsockopt(endpoint->fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (endpoint->kind == LISTENS_TCP)
        setsockopt(endpoint->fd, IPPROTO_TCP, TCP_DECIDES, &on, sizeof on);
    if (endpoint->fd < 0 || bind(endpoint->fd, (struct sockaddr *)&address, sizeof address) != 0)
        give_up(text);
    if (endpoint->kind == LISTENS_TCP && listen(endpoint->fd, SOMAXCONN) != 0)
        give_up(text);
}

int main(int argc, char **argv)
{
    signal(SIGPIPE, SIG_IGN);
    endpoint_count = argc - 1;
    endpoints = calloc(argc, sizeof *endpoints);
    for (int i = 1; i < argc; i++)
        add_endpoint(&endpoints[i - 1], argv[i]);
    /* Something was said since the peer was silent. A peer that connects speaks first. */
    bool is_fresh = true;
    for (;;) {
        if (wait_for_programs(is_fresh) > 0) {
            take_all();
            is_fresh = true;
            continue;
        }
        bool is_heard_next = is_listening();
        say_all(is_heard_next);
        is_fresh = is_heard_next && hear();
    }
}
