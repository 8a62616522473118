// SPDX-License-Identifier: GPL-3.0-or-later
// By what a secret is known that stands in no address: the marks that services give their tokens, and a name that says
// so before a value.
//
// Behind a name ("password=", "api_key: ", "\"token\": ") a value is a secret by its length and its mix of characters:
// - of a password from 6 characters on, of anything else from 8 on, where letters and digits are mixed (in a password
//   also digits alone, and signs beside . _ -);
// - letters alone are a word or a name of code, but for 16 or more in one case, or with a third of capitals;
// - where a sentence could read so ("token: the first word", "token = next"), it has 16 characters or more, or is a
//   password that ends its line, or a key ("api_key: ") with two digits;
// - what stands for a value is none: a path, "$TOKEN", "<token>", "YOUR_KEY", "xxxxxxxx", "Token::End1", "password123"
//   of a password, a call as in "password=sha256(text)".
// A quoted value ends with its quote; a password may hold signs that else end a value, as "&" and ";", and in quotes
// blanks, where it does not read as what a password is to be ("your new password").
#pragma once

#include <string>
#include <string_view>

namespace roundpipe::secret_forms {

inline constexpr const char* kHidden = "(hidden)";

// "hf_…", "ghp_…", "AKIA…", "eyJ….….…": what follows the mark, where it is as long and of such letters as of a token.
void hideTokens(std::string& text);
// "password=…", "\"api_key\": \"…\"", "Bearer …", "Authorization: Basic …": the value. Sentences and code that only
// name one keep theirs.
void hideNamedSecrets(std::string& text);

// "X-Api_Key" as "xapikey".
std::string simplified(std::string_view name);
// By the rule above, where `name` is simplified().
bool isPlaceholder(std::string_view value, std::string_view name);
bool isToken(std::string_view value, std::string_view name);

} // namespace roundpipe::secret_forms
