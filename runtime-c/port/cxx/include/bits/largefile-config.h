/* Offsets of files have 64 bits anyway. */
