// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/spec/no_secret.h"

#include "base/coded_text.h"
#include "base/error.h"
#include "base/secrets.h"

#include <algorithm>
#include <utility>

namespace roundpipe::session {

void requireNoSecret(const std::string& what, const std::string& text) {
    const std::string shown = withoutSecrets(text);
    if (shown == text) return;
    throw invalidInput(withArguments(kHoldsSecret, {what, shown}), kSecretAdvice);
}

FieldValue withoutSecretsIn(FieldValue value) {
    const auto hide = [](std::string& text) { text = withoutSecrets(std::move(text)); };
    if (auto* text = std::get_if<std::string>(&value)) hide(*text);
    if (auto* texts = std::get_if<std::vector<std::string>>(&value)) std::ranges::for_each(*texts, hide);
    return value;
}

} // namespace roundpipe::session
