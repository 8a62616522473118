// SPDX-License-Identifier: GPL-3.0-or-later
// Runs of a tiny model with random weights on two CPU workers, by the real engine.
#pragma once

#include "base/file.h"
#include "engine/engine.h"
#include "testing/fixtures.h"

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <thread>

namespace roundpipe::engine {

using session::Command;
using session::RunEvent;
using session::RunState;
using Kind = Command::Kind;

constexpr int64_t kSteps = 40; // enough to be still under way when a command arrives
constexpr const char* kConfig = R"({"architectures": ["Qwen3ForCausalLM"], "model_type": "qwen3", "vocab_size": 2560,
  "hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 3, "num_attention_heads": 2,
  "num_key_value_heads": 1, "head_dim": 16, "max_position_embeddings": 256, "rms_norm_eps": 1e-6,
  "rope_theta": 10000.0, "hidden_act": "silu", "tie_word_embeddings": true, "eos_token_id": 2,
  "torch_dtype": "float32"})";

class SmallRun : public ::testing::Test {
protected:
    SmallRun() {
        const std::filesystem::path demo = testing::sourceFolder() / "resources/demo";
        const std::filesystem::path model = m_folder.path() / "model";
        std::filesystem::create_directories(model);
        for (const char* name : {"tokenizer.json", "tokenizer_config.json"})
            std::filesystem::copy(demo / "model" / name, model / name);
        writeFileAtomically(model / "config.json", kConfig);
        m_spec.model.path = model;
        m_spec.model.randomWeights = true;
        m_spec.data.datasets.front().files = {(demo / "data/instructions.jsonl").string()};
        m_spec.data.maxLength = 64;
        m_spec.data.validationFraction = 0.02;
        m_spec.data.cache = false;
        m_spec.lora.dropout = 0.1; // draws must not depend on what was done between steps
        m_spec.optimizer.learningRate = 1e-2;
        m_spec.batch.microbatchSize = 2;
        m_spec.batch.microbatches = 2;
        m_spec.duration.maxSteps = kSteps;
        m_spec.engine.devices = {"cpu:2"};
        m_spec.output.evalEverySteps = 1000; // at the end only
        m_spec.output.folder = m_folder.path() / "run";
    }

    // A run into `folder`. `onStep` is called once for every step that is done, between takings of events.
    std::vector<double> run(const char* folder, const std::function<void(int64_t step)>& onStep = {},
                            bool resume = false) {
        m_spec.output.folder = m_folder.path() / folder;
        m_events.clear();
        m_engine->start({m_spec, m_prompts, resume, m_acceptsChanges, m_trainsOn});
        std::vector<double> losses;
        const auto until = std::chrono::steady_clock::now() + std::chrono::minutes(4);
        while (true) {
            const bool over = session::isOver(state());
            for (RunEvent& event : m_engine->takeEvents()) {
                if (event.kind == RunEvent::Kind::kError && !m_mayFail)
                    ADD_FAILURE() << event.text << ' ' << event.advice;
                m_events.push_back(event);
                if (event.kind != RunEvent::Kind::kStepDone) continue;
                losses.push_back(event.metrics.loss);
                if (onStep) onStep(event.metrics.step);
            }
            if (over) break;
            if (std::chrono::steady_clock::now() > until) {
                ADD_FAILURE() << "the run does not end";
                m_engine->send({Kind::kStopAndDiscard});
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        m_engine->wait();
        return losses;
    }
    // What of the two a run that cannot start says; else all that it says.
    std::string errorOf(const char* folder, bool resume) {
        m_spec.output.folder = m_folder.path() / folder;
        m_engine->start(m_spec, {}, resume);
        m_engine->wait();
        std::string text;
        for (const RunEvent& event : m_engine->takeEvents())
            if (event.kind == RunEvent::Kind::kError) text += event.text;
        for (const char* known : {"has no checkpoint to go on from", "holds the results of another run"})
            if (text.find(known) != std::string::npos) return known;
        return text;
    }
    std::vector<double> undisturbed() { return run("undisturbed"); }

    void waitFor(RunState expected) {
        const auto until = std::chrono::steady_clock::now() + std::chrono::minutes(2);
        while (state() != expected && std::chrono::steady_clock::now() < until)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        ASSERT_EQ(state(), expected);
    }
    RunState state() const { return m_engine->snapshot().state; }
    std::vector<RunEvent> eventsOf(RunEvent::Kind kind) const {
        std::vector<RunEvent> found;
        for (const RunEvent& event : m_events)
            if (event.kind == kind) found.push_back(event);
        return found;
    }
    std::string fileOf(const char* name) const {
        return readTextFile(std::filesystem::path(m_spec.output.folder) / name);
    }
    bool exists(const char* name) const {
        return std::filesystem::exists(std::filesystem::path(m_spec.output.folder) / name);
    }

    bool isThereSoon(const char* name) const {
        for (int i = 0; i < 500 && !exists(name); ++i)
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        return exists(name);
    }
    // A save under way has it for a moment.
    bool isGoneSoon(const char* name) const {
        for (int i = 0; i < 500 && exists(name); ++i)
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        return !exists(name);
    }

    testing::TemporaryFolder m_folder;
    session::RunSpec m_spec;
    std::vector<std::string> m_prompts;
    bool m_acceptsChanges = false;
    bool m_trainsOn = false;
    bool m_mayFail = false; // run(): an error is no failure of the test
    std::unique_ptr<session::Engine> m_engine = makeEngine();
    std::vector<RunEvent> m_events;
};

} // namespace roundpipe::engine
