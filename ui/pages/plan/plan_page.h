// SPDX-License-Identifier: GPL-3.0-or-later
// What the open project would run like, before anything is loaded: stages and cuts, memories, the predicted step, other
// schedules and other rigs.
#pragma once

#include "ui/pages/contract/page.h"
#include "ui/pages/plan/start_question.h"

#include <QPointer>

class QLabel;
class QPushButton;
class QScrollArea;
class QStackedWidget;

namespace roundpipe::ui::widgets {
class StatTile;
}

namespace roundpipe::ui::pages {

class FixesCard;
class MemoryBars;
class MemoryParts;
class PartitionEditor;
class PredictedStep;
class RigTable;
class ScheduleBars;

class PlanPage : public Page {
    Q_OBJECT
public:
    explicit PlanPage(const Services& services, QWidget* parent = nullptr);
    PageStatus status() const override;
    std::vector<Missing> missing() const override;
    // As JSON, or the predicted step as a picture where the file ends in .svg; in a thread, and noticed() says so.
    void savePlan(const QString& file);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void buildSave();
    void useRoom();
    void light(StageId stage); // wherever it is shown; invalid: none
    QWidget* buildEmpty();
    QWidget* buildPartition();
    QWidget* buildMiddle();
    QWidget* buildParts();
    QWidget* buildComparisons();
    void forgetProject();
    void refresh(); // what the planner said last
    void showVerdict();
    void showTiles(const session::PlanAnswer* answer);
    void showCuts(const session::PlanAnswer* answer);
    void showProblem(const session::PlanAnswer* answer);
    void showBesideRigs(bool hasProblem);
    void applyFixes(const std::vector<plan::Fix>& fixes);
    void useBetterCuts();
    StartQuestion startQuestion(); // about what is known now
    void askBeforeStart();
    void showMemory();
    void showAge();
    void moveCut(const plan::Plan& plan, bool continues);
    void useComputedCuts();

    QStackedWidget* m_stack; // nothing yet, or the column
    QWidget* m_content = nullptr;
    QScrollArea* m_column = nullptr;
    widgets::StatTile* m_step;
    widgets::StatTile* m_run;
    widgets::StatTile* m_speed;
    widgets::StatTile* m_bubble;
    widgets::StatTile* m_fullest;
    PartitionEditor* m_partition;
    QLabel* m_cost; // of the cut that is being moved
    QPushButton* m_better;
    QPushButton* m_computed;
    QLabel* m_howToCut;       // until a cut was moved, when its row is full of what that comes to
    QStackedWidget* m_middle; // the predicted step, or why there is none
    PredictedStep* m_predicted;
    FixesCard* m_fixes;
    MemoryBars* m_memory;
    ScheduleBars* m_schedules;
    QWidget* m_comparison = nullptr; // their card
    MemoryParts* m_parts;            // of the fullest memory, in their place where nothing fits
    QWidget* m_partsCard = nullptr;
    QLabel* m_whoseParts;
    QLabel* m_faster; // than the plan
    RigTable* m_rigs;
    QPushButton* m_enqueue = nullptr;
    QPushButton* m_ownRig;
    QAction* m_save = nullptr;
    QTimer m_dimSoon;
    bool m_dimsOld = false;        // what is old has been so for a moment
    uint64_t m_questionOfStep = 0; // that the predicted step answers
    uint64_t m_questionOfSchedules = 0;
    std::shared_ptr<const session::PlanAnswer> m_shown; // the last one that has a plan
    double m_secondsBefore = 0;                         // a step, before the cut was moved; 0: none is being moved
    uint64_t m_questionOfRigs = 0;
    QPointer<StartQuestionBox> m_question; // while it is open
};

} // namespace roundpipe::ui::pages
