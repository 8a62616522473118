// SPDX-License-Identifier: GPL-3.0-or-later
// Expectations about roundpipe::Error: its kind, and the words that its text must name.
#pragma once

#include "base/error.h"

#include <gtest/gtest.h>
#include <initializer_list>
#include <string>

namespace roundpipe::testing {

template <class Action>
void expectError(ErrorKind kind, std::initializer_list<std::string> words, Action&& action) {
    try {
        action();
    } catch (const Error& error) {
        EXPECT_EQ(toString(error.kind()), std::string(toString(kind))) << error.what();
        for (const std::string& word : words)
            EXPECT_NE(std::string(error.what()).find(word), std::string::npos)
                << "'" << word << "' is not in: " << error.what();
        return;
    } catch (const std::exception& other) {
        ADD_FAILURE() << "not a roundpipe::Error: " << other.what();
        return;
    }
    ADD_FAILURE() << "no error was thrown";
}

} // namespace roundpipe::testing
