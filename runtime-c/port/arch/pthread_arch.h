/* The thread pointer is the engine's to keep. */
extern void *__everett_get_tp(void);
static inline uintptr_t __get_tp() { return (uintptr_t)__everett_get_tp(); }
#define MC_PC gregs[REG_RIP]
