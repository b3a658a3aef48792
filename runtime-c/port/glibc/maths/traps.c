/* Exceptions of arithmetic that stop a program: none can be made to. */
int feenableexcept(int exceptions) { return exceptions ? -1 : 0; }
int fedisableexcept(int exceptions) { return 0; }
int fegetexcept(void) { return 0; }

/* The flags alone, which raise nothing here anyway. */
int feraiseexcept(int exceptions);
int fesetexcept(int exceptions) { return feraiseexcept(exceptions); }
int fetestexceptflag(const unsigned short *flags, int exceptions) { return *flags & exceptions; }
