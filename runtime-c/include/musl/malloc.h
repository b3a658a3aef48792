/* glibc's brings the functions on files and the basic types with it. */
#include_next <malloc.h>
#include <stddef.h>
#include <stdio.h>
