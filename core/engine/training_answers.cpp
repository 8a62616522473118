// SPDX-License-Identifier: GPL-3.0-or-later
// What it does between steps because somebody asks.
#include "engine/training.h"

#include "base/log.h"
#include "engine/session_span.h"
#include "generate/text_generator.h"

#include <fmt/format.h>

#include <algorithm>

namespace roundpipe::engine {

using session::Activity;
using session::ActivityCode;
using session::RunState;
using session::RunText;
using session::RunTextCode;

// Tensors of the base that are trained hold what the run goes on from. One that is resumed has asked the base already.
bool Training::hasBase() const {
    return std::ranges::none_of(layouts(), &geometry::LayerLayout::trainsTensors) ||
           (m_state.step == 0 && m_spec.lora.initFrom.empty());
}

void Training::answerSamples(const std::vector<std::string>& prompts, bool tuned) {
    if (prompts.empty()) return;
    if (!tuned && !hasBase()) {
        if (m_state.step == 0) m_board.warning({RunText(RunTextCode::kBaseNotAsked)});
        return;
    }
    m_board.setState(RunState::kAnswering);
    m_pipeline.reset(); // a GPU may not hold the training buffers and a decoder at once
    constexpr int64_t kMaxNewTokens = 120;
    const data::DataOptions options = data::dataOptionsOf(m_spec);
    const std::vector<int32_t> stops = stopIdsOf(m_modelSpec.config, m_text->tokenizer);
    for (const std::string& prompt : prompts) {
        if (m_board.stopRequested()) break;
        report({Activity(ActivityCode::kAnswering, prompt)});
        const SessionSpan span(m_session, static_cast<int>(m_devices.size()), trace::Kind::kAnswer);
        std::string answer;
        try {
            const std::vector<int32_t> ids = encodeChat(*m_text, {}, prompt, options.templateArguments, options.now);
            requireFits(ids, m_modelSpec.config);
            generate::Decoder decoder(*m_model, *m_store, *m_devices[0],
                                      static_cast<int64_t>(ids.size()) + kMaxNewTokens, tuned);
            session::SamplingOptions sampling;
            sampling.maxNewTokens = kMaxNewTokens;
            const auto goOn = [this](const std::string&) { return !m_board.stopRequested(); };
            answer = generate::generateText(decoder, m_text->tokenizer, ids, stops, sampling, goOn).text;
        } catch (const Error& error) { // what is trained is worth more
            if (error.kind() != ErrorKind::kInvalidInput && error.kind() != ErrorKind::kUnsupported) throw;
            m_board.warning({RunText(RunTextCode::kPromptNotAnswered), RunText(RunTextCode::kAsSaid, error.message())});
            continue;
        }
        try {
            m_folder.appendAnswer({m_state.step, tuned, prompt, answer});
        } catch (const Error& error) { // as above
            warnOfUnwritten(m_board, m_spec, RunText(RunTextCode::kAnswerNotWritten), error);
        }
        m_board.sampleReady(prompt, answer, tuned);
    }
}

std::optional<double> Training::validateNow() {
    if (m_dataset->validation().size() == 0) return std::nullopt;
    const double loss = evaluate();
    m_saver->saveIfBest(loss, m_state);
    log::info(fmt::format("validation loss after step {}, as asked for: {}", m_state.step, loss));
    return loss;
}

void Training::carryOutCommands() {
    if (!m_board.hasCommands()) return;
    m_saver->finishWriting(m_state);
    m_board.carryOutCommands({[this] {
                                  m_saver->saveLast(m_state);
                                  m_saver->finishWriting(m_state);
                              },
                              [this] { return validateNow(); },
                              [this](const std::vector<std::string>& prompts) { answerSamples(prompts, true); },
                              [this](int64_t fromNs, int64_t toNs) {
                                  m_session.put(trace::pauseOf(static_cast<int>(m_devices.size()), fromNs, toNs));
                              },
                              [this] { lookAtMachine(); }});
}

} // namespace roundpipe::engine
