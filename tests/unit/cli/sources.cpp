// The command line is a program, not a library; its parts without a process around them are
// compiled into this test here.
#include "cli/completions.cpp"
#include "cli/console.cpp"
#include "cli/flags.cpp"
#include "cli/layout.cpp"
#include "cli/views_query.cpp"
#include "cli/views_vault.cpp"
