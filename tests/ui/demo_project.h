// SPDX-License-Identifier: GPL-3.0-or-later
// A small project on disk that the simulated engine can run.
#pragma once

#include "base/file.h"
#include "session/spec/run_spec.h"
#include "testing/fixtures.h"
#include "testing/tiny_model.h"

#include <filesystem>

namespace roundpipe::testing {

class DemoProject {
public:
    explicit DemoProject(int maxSteps) {
        std::filesystem::create_directories(folder() / "model");
        std::filesystem::create_directories(folder() / "data");
        writeFileAtomically(folder() / "model" / "config.json", kTinyModel);
        writeFileAtomically(folder() / "data" / "prompts.json", R"(["Who are you?", "What is red?"])");
        writeFileAtomically(runFile(),
                            R"({"name": "Test run", "model": {"path": "model"}, "data": {"files": ["data/train.jsonl"]},
            "engine": {"devices": ["cpu:2"]}, "output": {"folder": "out"}, "duration": {"max_steps": )" +
                                std::to_string(maxSteps) + "}}");
    }
    const std::filesystem::path& folder() const { return m_folder.path(); }
    std::filesystem::path runFile() const { return folder() / "run.json"; }
    session::RunSpec spec() const { return session::readRunSpec(runFile()); }

private:
    TemporaryFolder m_folder;
};

} // namespace roundpipe::testing
