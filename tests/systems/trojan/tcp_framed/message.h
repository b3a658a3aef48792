/* Requests on a connection: a byte with the length of the body, and the body. It begins with a kind. */
enum { BODY_MAX = 3 };
/* The body of a step is its kind and a distance, that of a jump its kind and two coordinates. */
enum { STEP = 's', JUMP = 'j' };
