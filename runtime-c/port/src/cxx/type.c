/* Run-time types of the Itanium C++ ABI: the kinds of type_info, those of the fundamental types, and
 * dynamic_cast. */
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

struct type {
  const void *kind;
  const char *name;
};
struct derived_type {
  struct type type;
  const struct type *base;
};
struct base {
  const struct type *type;
  long offset_flags;
};
struct general_type {
  struct type type;
  unsigned flags, base_count;
  struct base bases[];
};
struct pointer_type {
  struct type type;
  unsigned flags;
  const struct type *pointee;
};

enum { IS_VIRTUAL = 1, IS_PUBLIC = 2, OFFSET_SHIFT = 8 };

/* Virtual tables of the kinds. Nobody calls functions of theirs: what is compiled into programs compares
 * names. A type points behind the two words that every virtual table begins with. */
#define KIND(name) const void *const name[4] = {0}
KIND(_ZTVN10__cxxabiv117__class_type_infoE);
KIND(_ZTVN10__cxxabiv120__si_class_type_infoE);
KIND(_ZTVN10__cxxabiv121__vmi_class_type_infoE);
KIND(_ZTVN10__cxxabiv123__fundamental_type_infoE);
KIND(_ZTVN10__cxxabiv119__pointer_type_infoE);
KIND(_ZTVN10__cxxabiv129__pointer_to_member_type_infoE);
KIND(_ZTVN10__cxxabiv116__enum_type_infoE);
KIND(_ZTVN10__cxxabiv117__array_type_infoE);
KIND(_ZTVN10__cxxabiv120__function_type_infoE);

/* T, T* and T const*, by the letters that stand for T in mangled names. */
#define FUNDAMENTAL(letters)                                                                           \
  const char _ZTS##letters[] = #letters, _ZTSP##letters[] = "P" #letters;                               \
  const char _ZTSPK##letters[] = "PK" #letters;                                                         \
  const struct type _ZTI##letters = {_ZTVN10__cxxabiv123__fundamental_type_infoE + 2, _ZTS##letters};   \
  const struct pointer_type _ZTIP##letters = {                                                          \
      {_ZTVN10__cxxabiv119__pointer_type_infoE + 2, _ZTSP##letters}, 0, &_ZTI##letters};                 \
  const struct pointer_type _ZTIPK##letters = {                                                         \
      {_ZTVN10__cxxabiv119__pointer_type_infoE + 2, _ZTSPK##letters}, 1, &_ZTI##letters}
FUNDAMENTAL(v);
FUNDAMENTAL(b);
FUNDAMENTAL(c);
FUNDAMENTAL(a);
FUNDAMENTAL(h);
FUNDAMENTAL(s);
FUNDAMENTAL(t);
FUNDAMENTAL(i);
FUNDAMENTAL(j);
FUNDAMENTAL(l);
FUNDAMENTAL(m);
FUNDAMENTAL(x);
FUNDAMENTAL(y);
FUNDAMENTAL(n);
FUNDAMENTAL(o);
FUNDAMENTAL(f);
FUNDAMENTAL(d);
FUNDAMENTAL(e);
FUNDAMENTAL(g);
FUNDAMENTAL(w);
FUNDAMENTAL(Dn);
FUNDAMENTAL(Du);
FUNDAMENTAL(Ds);
FUNDAMENTAL(Di);

/* What a search through the bases of an object looks for, and has found. */
struct search {
  const char *source;
  const struct type *source_type, *target_type;
  /* The target that the search is inside of, and whether only through public bases. */
  const char *around;
  bool around_public;
  /* Targets that contain the source, and all that are public in the whole. */
  const char *containing, *any;
  unsigned containing_count, any_count;
  bool source_is_public;
};

static bool same(const struct type *a, const struct type *b) {
  /* Names that begin with * are those of types that other files cannot name. */
  return a->name == b->name || (a->name[0] != '*' && strcmp(a->name, b->name) == 0);
}

static void count(const char *object, const char **found, unsigned *counted) {
  if (*counted == 0 || *found != object)
    ++*counted;
  *found = object;
}

static void visit(struct search *search, const char *object, const struct type *type, bool public);

static void visit_bases(struct search *search, const char *object, const struct type *type, bool public) {
  if (type->kind == _ZTVN10__cxxabiv120__si_class_type_infoE + 2) {
    visit(search, object, ((const struct derived_type *)type)->base, public);
  } else if (type->kind == _ZTVN10__cxxabiv121__vmi_class_type_infoE + 2) {
    const struct general_type *general = (const struct general_type *)type;
    for (unsigned i = 0; i < general->base_count; i++) {
      long flags = general->bases[i].offset_flags, offset = flags >> OFFSET_SHIFT;
      if (flags & IS_VIRTUAL)
        offset = *(const ptrdiff_t *)(*(const char *const *)object + offset);
      bool public_base = public && (flags & IS_PUBLIC);
      bool around_public = search->around_public;
      search->around_public = around_public && (flags & IS_PUBLIC);
      visit(search, object + offset, general->bases[i].type, public_base);
      search->around_public = around_public;
    }
  }
}

static void visit(struct search *search, const char *object, const struct type *type, bool public) {
  if (object == search->source && same(type, search->source_type)) {
    search->source_is_public |= public;
    if (search->around && search->around_public)
      count(search->around, &search->containing, &search->containing_count);
  }
  if (!search->around && same(type, search->target_type)) {
    if (public)
      count(object, &search->any, &search->any_count);
    search->around = object;
    search->around_public = true;
    visit_bases(search, object, type, public);
    search->around = 0;
  } else {
    visit_bases(search, object, type, public);
  }
}

/* To the target that contains the source; otherwise to the only one in the whole object. */
void *__dynamic_cast(const void *source, const struct type *source_type, const struct type *target_type,
                     ptrdiff_t hint) {
  const ptrdiff_t *table = *(const ptrdiff_t *const *)source;
  const char *whole = (const char *)source + table[-2];
  const struct type *type = (const struct type *)table[-1];
  struct search search = {.source = source, .source_type = source_type, .target_type = target_type};
  visit(&search, whole, type, true);
  if (search.containing_count == 1)
    return (void *)search.containing;
  if (search.containing_count == 0 && search.source_is_public && search.any_count == 1)
    return (void *)search.any;
  return 0;
}
