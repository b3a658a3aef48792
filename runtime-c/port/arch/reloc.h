/* There is no dynamic linker; these keep files that mention one compiling. */
#define LDSO_ARCH "everett"
#define REL_SYMBOLIC 1
#define CRTJMP(pc, sp) (__builtin_trap())
#define GETFUNCSYM(fp, sym, got) (*(fp) = (sym))
