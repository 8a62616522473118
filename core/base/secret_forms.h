// SPDX-License-Identifier: GPL-3.0-or-later
// By what a secret is known that stands in no address: the marks that services give their tokens, and a name that says
// so before a value.
#pragma once

#include <string>

namespace roundpipe::secret_forms {

inline constexpr const char* kHidden = "(hidden)";

// "hf_…", "ghp_…", "AKIA…", "eyJ….….…": what follows the mark, where it is as long and of such letters as of a token.
void hideTokens(std::string& text);
// "password=…", "\"api_key\": \"…\"", "Bearer …": the value. Sentences and code that only name one keep theirs.
void hideNamedSecrets(std::string& text);

} // namespace roundpipe::secret_forms
