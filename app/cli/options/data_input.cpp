// SPDX-License-Identifier: GPL-3.0-or-later
#include "options/data_input.h"

#include "arch/model_config.h"
#include "base/error.h"
#include "data/files/row_file.h"
#include "hub/fetch_names.h"
#include "session/spec/dataset_words.h"

#include <filesystem>
#include <string_view>

#include <fmt/format.h>

namespace roundpipe::cli {

namespace {

// "owner/name", as the Hub calls a dataset.
bool looksLikeRepository(const std::string& file) {
    constexpr std::string_view kOfNames = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.";
    const std::size_t slash = file.find('/');
    return slash != std::string::npos && slash > 0 &&
           file.find_first_not_of(kOfNames, slash + 1) == std::string::npos &&
           file.find_first_not_of(kOfNames) == slash && file[0] != '.';
}

void requireNoRepository(const std::vector<std::string>& files) {
    for (const std::string& file : files)
        if (looksLikeRepository(file) && !data::hasRowEnding(file) && !data::hasTextEnding(file) &&
            !std::filesystem::exists(file))
            throw Error(ErrorKind::kIo, fmt::format("There is no file '{}'.", file),
                        fmt::format("A dataset of the Hub is named hf:{}", file));
}

// Of files that are named without --data.
void requireNoSettings(const std::vector<std::string>& files, bool hasData) {
    for (const std::string& file : files) {
        const std::string path = session::parseDatasetWord(file).path;
        if (path == file || std::filesystem::exists(file)) continue;
        throw invalidInput(
            fmt::format("'{}' has settings behind the file, which only --data takes.", file),
            hasData ? fmt::format("Say --data {}", file)
                    : fmt::format("Name {} alone, and its settings as options: --format, --columns, …", path));
    }
}

} // namespace

void FileInput::addTo(CLI::App& app) {
    app.add_option("file", m_files, "Data files, folders with them, or hf:OWNER/NAME:SPLIT.")->required();
    m_fields.addTo(app, {"data.format", "data.columns", "data.prompt_template", "data.system_prompt", "data.delimiter",
                         "data.header"});
}

data::DataOptions FileInput::options() const {
    session::RunSpec spec;
    requireNoSettings(m_files, false);
    requireNoRepository(m_files);
    spec.data.datasets.front().files = m_files;
    m_fields.apply(spec);
    fetchNamesOf(spec);
    session::RunSpec asked = spec;
    asked.model.path = "."; // which is not asked for: the rules of the data are the same without it
    session::validate(asked);
    return data::dataOptionsOf(spec);
}

void DataInput::addTo(CLI::App& app) {
    app.add_option("file", m_files,
                   "Data files of one dataset, or hf:OWNER/NAME:SPLIT; --data names several, each with its settings.");
    m_fields.addTo(app, {"seed", "model.path", "model.chat_template", "data."});
}

session::RunSpec DataInput::spec() const {
    session::RunSpec spec;
    if (!m_files.empty() && m_fields.hasData())
        throw invalidInput("'" + m_files.front() + "' stands beside --data.", "Put all files behind --data.");
    requireNoSettings(m_files, true);
    requireNoRepository(m_files);
    spec.data.datasets.front().files = m_files;
    m_fields.apply(spec);
    fetchNamesOf(spec);
    session::validate(spec);
    return spec;
}

std::vector<data::DataOptions> DataInput::datasets() const {
    return data::datasetsOf(spec());
}

std::vector<session::SpecRemark> DataInput::remarks() const {
    return session::remarksOnIdleData(spec());
}

int64_t DataInput::maxPositions() const {
    try {
        return arch::readModelConfig(spec().model.path).maxPositions;
    } catch (const Error&) { // rows need no config.json
        return 0;
    }
}

text::Tokenizer DataInput::openTokenizer() const {
    return text::Tokenizer::open(spec().model.path);
}

text::ChatTemplate DataInput::openTemplate() const {
    return text::ChatTemplate::fromModelFolder(spec().model.path, spec().model.chatTemplate);
}

} // namespace roundpipe::cli
