// SPDX-License-Identifier: GPL-3.0-or-later
// roundpipe chat: a conversation with a model, in a terminal or through a pipe.
#include "base/error.h"
#include "chat/answer_json.h"
#include "chat/talk.h"
#include "chat/talk_commands.h"
#include "commands.h"
#include "console/line_reader.h"
#include "console/passing_line.h"
#include "console/print_error.h"
#include "console/stop_signal.h"
#include "console/terminal.h"
#include "engine/chat/local_chat.h"
#include "exit_codes.h"
#include "options/chat_input.h"
#include "options/sampling_input.h"

#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <unistd.h>

namespace roundpipe::cli {
namespace {

struct ChatOptions {
    ChatInput input;
    session::SamplingOptions sampling;
    std::string system;
    bool compare = false;
};

// A person who types, or a script behind a pipe: that one is not greeted, and its first error ends the program.
class Terminal {
public:
    explicit Terminal(StopSignal& stop)
        : m_stop(stop), m_isPerson(::isatty(STDIN_FILENO) != 0), m_colours(ColourChoice().wanted()) {}

    void greet(const session::ChatAbout& about) const {
        if (m_isPerson) fmt::print(stderr, "{} on {}. /help lists the commands.\n", about.model, about.device);
    }

    bool isInterrupted() const { return m_isInterrupted || m_stop.terminated(); }

    // False: there is no more.
    bool hear(std::string& said) {
        said.clear();
        for (;;) {
            if (m_isPerson) fmt::print("{}", styled(said.empty() ? "> " : "… ", "1", m_colours));
            std::fflush(stdout);
            std::string line;
            const LineReader::Got got = m_lines.next(line, [this] { return m_stop.requested(); });
            if (got == LineReader::Got::kEnd) return !said.empty();
            if (got == LineReader::Got::kInterrupted) {
                m_isInterrupted = !m_isPerson || m_stop.terminated();
                if (m_isInterrupted) return false;
                m_stop.take();
                fmt::print("\n");
                fmt::print(stderr, "(/quit or Ctrl-D ends)\n");
                said.clear();
                continue;
            }
            const bool goesOn = line.ends_with('\\');
            if (goesOn) line.back() = '\n';
            said += line;
            if (!goesOn) return true;
        }
    }

    void answer(Talk& talk, const std::string& said) {
        talk.ask(
            said,
            [&](const TalkSide& side) {
                if (talk.compares() && &side != &talk.sides().front()) fmt::print("\n");
                if (!side.label.empty()) fmt::print("{}\n", styled(side.label + ":", "1", m_colours));
            },
            [this](std::string_view piece) {
                if (!piece.empty()) {
                    fmt::print("{}", piece);
                    std::fflush(stdout);
                }
                return !m_stop.take();
            });
        fmt::print("\n");
        std::fflush(stdout);
        for (const TalkSide& side : talk.sides())
            sayEnd(talk, side.answer);
    }

    // Of one line that went wrong. Throws it on where nobody sits there.
    void complain(const Error& error) const {
        if (!m_isPerson) throw error;
        std::fflush(stdout);
        printError(error);
    }

private:
    static void sayEnd(Talk& talk, const session::ChatAnswer& answer) {
        if (answer.end == session::AnswerEnd::kStopped) fmt::print(stderr, "(stopped)\n");
        if (answer.end != session::AnswerEnd::kLimit) return;
        const bool byOption = answer.numTokens == talk.conversation().sampling.maxNewTokens;
        fmt::print(stderr, "(cut off after {}; {})\n", countOf(answer.numTokens, "token"),
                   byOption ? "/set max_new_tokens N allows more"
                            : "there is no more room: /reset, or a larger --context");
    }

    StopSignal& m_stop;
    LineReader m_lines;
    bool m_isPerson;
    bool m_colours;
    bool m_isInterrupted = false; // while it waited for a line
};

void talkOn(Talk& talk, Terminal& terminal) {
    std::string said;
    while (!terminal.isInterrupted() && terminal.hear(said)) {
        if (said.find_first_not_of(" \t\n") == std::string::npos) continue;
        try {
            if (said.starts_with('/') && !said.starts_with("//")) {
                const Obeyed obeyed = obey(said, talk);
                fmt::print("{}", obeyed.said);
                if (obeyed.quits) return;
            } else {
                terminal.answer(talk, said.starts_with("//") ? said.substr(1) : said);
            }
        } catch (const Error& error) {
            terminal.complain(error);
        }
    }
}

int chat(const ChatOptions& options) {
    StopSignal stop;
    const session::ChatSetup setup = options.input.setup();
    PassingLine loading;
    const std::unique_ptr<session::Chat> chat = engine::openChat(setup, [&](const session::Activity& activity) {
        loading.show(session::textOf({activity}));
        return !stop.requested();
    });
    loading.show({});
    session::ChatConversation settings;
    settings.model = setup.model;
    settings.system = options.system;
    settings.adapters = options.input.adapters();
    settings.strength = options.input.strength();
    settings.sampling = options.sampling;
    Talk talk(*chat, std::move(settings));
    if (options.compare) obey("/compare", talk);
    Terminal terminal(stop);
    terminal.greet(chat->about());
    talkOn(talk, terminal);
    return terminal.isInterrupted() ? kStopped : kSuccess;
}

} // namespace

CommandBody addChatCommand(CLI::App& app) {
    const auto options = std::make_shared<ChatOptions>();
    options->input.addTo(app, ChatInput::kContextTokens);
    app.add_option("--system", options->system, "What the system message says.");
    app.add_flag("--compare", options->compare, "Base and tuned answer side by side.");
    addSampling(app, options->sampling);
    return [options] { return chat(*options); };
}

} // namespace roundpipe::cli
