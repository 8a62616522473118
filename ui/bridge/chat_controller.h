// SPDX-License-Identifier: GPL-3.0-or-later
// Where std meets Qt for a model that answers: loads it and asks it in a thread of its own, and tells the window in
// signals of values, thirty times a second at most.
#pragma once

#include "base/error.h"
#include "session/chat.h"

#include <QObject>
#include <QString>
#include <QTimer>

#include <functional>
#include <memory>
#include <vector>

namespace roundpipe::ui::bridge {

struct ChatAllAnswered;
struct ChatAnswered;
struct ChatAsked;
struct ChatFailed;
struct ChatLeft;
struct ChatLoaded;
struct ChatLoading;
struct ChatPieces;
class ChatWorker;

// GUI thread only. Nothing here waits, except the destructor for the piece of loading or the token that is under way.
class ChatController : public QObject {
    Q_OBJECT
public:
    enum class State { kNone, kLoading, kReady, kAnswering, kLeaving };

    struct Failure {
        QString problem, advice;
        ErrorKind kind = ErrorKind::kInternal; // kCancelled: by cancel()
    };
    // What has come of an answer since the last time.
    struct Piece {
        qsizetype question = 0; // its place in ask()
        QString text;
        int64_t numTokens = 0;    // so far
        double promptSeconds = 0; // until the first of them
        double answerSeconds = 0; // for those after it
    };

    explicit ChatController(QObject* parent = nullptr);
    ~ChatController() override;

    void setOpener(session::ChatOpener open);
    bool canLoad() const { return m_open != nullptr; } // not before the engine is loaded

    State state() const { return m_state; }
    bool isLoaded() const { return m_state == State::kReady || m_state == State::kAnswering; }
    const session::ChatSetup& setup() const { return m_setup; } // of what is loaded, or is being loaded
    const session::ChatAbout& about() const { return m_about; } // of what is loaded

    void load(const session::ChatSetup& setup); // where nothing is loaded
    void cancel();                              // of the loading, or of the answers; what came of them stays
    // Forgets the model, after the answer that is under way was ended.
    void unload();
    // Runs `then` once no model is loaded: at once where none is, else when it has left. What was to be run before is
    // not run any more.
    void freeThen(std::function<void()> then);
    // Each in turn; the next one is not asked where one fails or is stopped.
    void ask(std::vector<session::ChatQuestion> questions); // while it is kReady

signals:
    void changed(); // state(), canLoad()
    void loading(const roundpipe::session::Activity& activity);
    void loaded(double seconds);
    void failed(const roundpipe::ui::bridge::ChatController::Failure& why, bool ofLoading);
    void asked(qsizetype question); // it is its turn
    void pieceCame(const roundpipe::ui::bridge::ChatController::Piece& piece);
    void answered(qsizetype question, const roundpipe::session::ChatAnswer& answer);
    void allAnswered(); // or stopped

private:
    void tick();
    void setState(State state);
    void tell(const ChatLoading& now);
    void tell(const ChatLoaded& done);
    void tell(const ChatFailed& why);
    void tell(const ChatLeft&);
    void tell(const ChatAsked& turn);
    void tell(const ChatPieces& piece);
    void tell(const ChatAnswered& done);
    void tell(const ChatAllAnswered&);

    session::ChatOpener m_open;
    State m_state = State::kNone;
    session::ChatSetup m_setup;
    session::ChatAbout m_about;
    std::function<void()> m_then;
    QTimer m_timer;
    const std::unique_ptr<ChatWorker> m_worker;
};

} // namespace roundpipe::ui::bridge
