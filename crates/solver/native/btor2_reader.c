/* Boolector's reader for BTOR2 files needs a library that is not part of the published sources.
   We never read files through Boolector, so its entry point answers with no parser at all; the
   library refers to the symbol, nothing calls it. */

#include "parser/btorbtor2.h"

static const BtorParserAPI no_parser = {0, 0, 0};

const BtorParserAPI *
btor_parsebtor2_parser_api ()
{
  return &no_parser;
}
