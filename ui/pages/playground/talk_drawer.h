// SPDX-License-Identifier: GPL-3.0-or-later
// Beside the conversation: who answers and how, the tokens of an answer, and the conversations that are kept.
#pragma once

#include "ui/pages/contract/services.h"
#include "ui/pages/playground/dialogue.h"

#include <QTabWidget>

class QLabel;
class QPlainTextEdit;

namespace roundpipe::ui::pages {

class AdapterCard;
class AnswerSettings;
class KeptList;
class TokensPanel;

class TalkDrawer : public QTabWidget {
    Q_OBJECT
public:
    TalkDrawer(const Services& services, Dialogue& dialogue, QWidget* parent = nullptr);

    void showModel(const QString& name, const QString& device, double loadSeconds); // that was loaded
    void showSettings();                                                            // the conversation's
    void showTokens(int side, std::size_t message, const QString& who);
    void bringTokens(); // to the front
    void turnStrength(int steps);
    KeptList& kept() { return *m_kept; }
    TokensPanel& tokens() { return *m_tokens; }

signals:
    void settingsEdited();
    void changeWanted(); // of the model

private:
    QWidget* buildSettings();
    QWidget* buildModel();
    QWidget* buildSystem();

    Services m_services;
    Dialogue& m_dialogue;
    QLabel *m_name, *m_about;
    AdapterCard* m_adapters;
    AnswerSettings* m_answers;
    QPlainTextEdit* m_system;
    TokensPanel* m_tokens;
    KeptList* m_kept;
};

} // namespace roundpipe::ui::pages
