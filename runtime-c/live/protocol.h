/* The numbers that the engine and the gateway give each other, generated from
 * crates/engine/src/api/live/protocol.rs: see there. */
#ifndef EVERETT_LIVE_PROTOCOL_H
#define EVERETT_LIVE_PROTOCOL_H

enum event_kind {
    OPENED = 0x0,
    REFUSED = 0x1,
    CONNECTED = 0x2,
    BYTES = 0x3,
    DATAGRAM = 0x4,
    END_OF_STREAM = 0x5,
    RESET = 0x6,
    GONE = 0x7,
    SILENCE = 0x8,
};

enum sending {
    STREAM = 0x0,
    AS_DATAGRAM = 0x1,
    LAST = 0x2,
    IF_KNOWN = 0x4,
    ENDS_STREAM = 0x8,
};

enum closing {
    FINISH = 0x0,
    CLOSE = 0x1,
    ABORT = 0x2,
};

enum {
    TCP_DECIDES = 0x45560001,
    TCP_FIRST_REQUEST = 0x45560002,
    TCP_ADMITS = 0x45560003,
};

#endif
