// SPDX-License-Identifier: GPL-3.0-or-later
// What a run is told is stored with it, shown and passed on, so it is told no secrets.
#pragma once

#include "session/spec/run_spec_fields.h"

#include <string>

namespace roundpipe::session {

// The words of the refusal, with what holds it and its text, in which the secret is hidden.
inline constexpr const char* kHoldsSecret = "%1 is '%2', with a password or a token in it.";
inline constexpr const char* kSecretAdvice = "It would stand in the run's files for everybody to read: leave it out. "
                                             "The Hub's token is taken from HF_TOKEN, from "
                                             "the file that HF_TOKEN_PATH names, as `hf auth login` left it, or from "
                                             "the keyring; what lies on another server is "
                                             "fetched first, and named as it lies here.";
inline constexpr const char* kPrompt = "A prompt";

// Throws kInvalidInput where the text holds a password or a token (base/secrets.h). `what`: "'data.files'", "The note".
void requireNoSecret(const std::string& what, const std::string& text);
// Of texts and lists of them what base/secrets.h makes of each; other values as they are.
FieldValue withoutSecretsIn(FieldValue value);

} // namespace roundpipe::session
