// SPDX-License-Identifier: GPL-3.0-or-later
// What the commands on data have in common: files, the model folder's tokenizer and template, and the run's options
// that decide what a row becomes.
#pragma once

#include "data/options.h"
#include "options/run_spec_options.h"
#include "session/spec_remark.h"
#include "text/chat_template.h"
#include "text/tokenizer.h"

#include <string>
#include <vector>

namespace roundpipe::cli {

// Files and how their rows are written: enough to look at them without a model. The object must outlive the
// application that it was added to.
class FileInput {
public:
    void addTo(CLI::App& app);
    data::DataOptions options() const; // throws kInvalidInput naming the option

private:
    std::vector<std::string> m_files;
    RunSpecOptions m_fields;
};

// One dataset of the files that stand beside the options, or those of --data. The object must outlive the application
// that it was added to.
class DataInput {
public:
    void addTo(CLI::App& app);
    // Throws kInvalidInput naming the option.
    std::vector<data::DataOptions> datasets() const;
    text::Tokenizer openTokenizer() const;
    text::ChatTemplate openTemplate() const;
    std::vector<session::SpecRemark> remarks() const; // on options that have no effect
    int64_t maxPositions() const; // of the model; 0 where its folder has no config.json that says it

private:
    session::RunSpec spec() const;

    std::vector<std::string> m_files;
    RunSpecOptions m_fields;
};

} // namespace roundpipe::cli
