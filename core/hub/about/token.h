// SPDX-License-Identifier: GPL-3.0-or-later
// The access token of the Hub's user: read where Hugging Face's tools keep it, given to the Hub, shown nowhere.
#pragma once

#include <string>

namespace roundpipe::hub {

class Token {
public:
    Token() = default; // none
    Token(std::string secret, std::string from);

    // $HF_TOKEN, else the file that $HF_TOKEN_PATH names, $HF_HOME/token, or huggingface/token in the user's cache
    // folder. A file that is there and holds no token throws kInvalidInput.
    static Token find();

    bool empty() const { return m_secret.empty(); }
    const std::string& from() const { return m_from; } // "HF_TOKEN", or a file's path
    const std::string& secret() const { return m_secret; }
    // `text` with every occurrence of the token replaced, for whatever others say that we pass on.
    std::string redacted(std::string text) const;

private:
    std::string m_secret, m_from;
};

} // namespace roundpipe::hub
