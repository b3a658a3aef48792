/* glibc's inner names of backtraces. */
int backtrace(void **frames, int n);
char **backtrace_symbols(void *const *frames, int n);
void backtrace_symbols_fd(void *const *frames, int n, int fd);

int __backtrace(void **frames, int n) { return backtrace(frames, n); }
char **__backtrace_symbols(void *const *frames, int n) { return backtrace_symbols(frames, n); }
void __backtrace_symbols_fd(void *const *frames, int n, int fd) { backtrace_symbols_fd(frames, n, fd); }
