// SPDX-License-Identifier: GPL-3.0-or-later
// One command-line option for every field of RunSpec, made from the table of fields.
#pragma once

#include "session/spec/run_spec_fields.h"

#include <CLI/CLI.hpp>

#include <map>
#include <string>
#include <vector>

namespace roundpipe::cli {

class RunSpecOptions {
public:
    // Adds the options of all fields, or of those whose key starts with one of `prefixes`, but for those whose key is
    // `without`. The object must outlive `app`.
    void addTo(CLI::App& app, const std::vector<std::string>& prefixes = {}, const std::string& without = {});
    // Sets what was given; what was not keeps its value. Throws kInvalidInput naming the option. Paths become absolute.
    // Each --data is a dataset, whose settings may stand behind its files (dataset_words.h); the options of datasets
    // hold for all of them.
    void apply(session::RunSpec& spec) const;
    bool hasData() const;                        // whether --data was given
    bool wasGiven(const std::string& key) const; // on the command line

private:
    struct Given {
        const session::Field* field = nullptr;
        CLI::Option* option = nullptr;
        std::vector<std::string> texts;
        bool flag = false;
    };
    std::map<std::string, Given> m_given; // by key; nodes don't move, CLI11 writes into them
};

} // namespace roundpipe::cli
