/* What programs ask glibc about itself. */
const char *gnu_get_libc_version(void) { return "2.36"; }
const char *gnu_get_libc_release(void) { return "stable"; }

/* Never claims that there is one thread only, as more may come. */
char __libc_single_threaded = 0;
