#include "ui/pages/plan/fixes_card.h"

#include "ui/models/plan_text.h"

#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace roundpipe::ui::pages {
namespace {

QLabel* wrapped(const char* objectName = nullptr) {
    auto* label = new QLabel;
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    if (objectName != nullptr) label->setObjectName(QString::fromLatin1(objectName));
    return label;
}

} // namespace

FixesCard::FixesCard(QWidget* parent)
    : Card(tr("Why not, and what makes it fit"), parent)
    , m_problem(wrapped("problem"))
    , m_advice(wrapped("dim"))
    , m_describe(new QPushButton(tr("Describe a rig…"))) {
    body()->addWidget(m_problem);
    body()->addWidget(m_advice);
    body()->addWidget(m_describe, 0, Qt::AlignLeft);
    m_describe->hide();
    connect(m_describe, &QPushButton::clicked, this, &FixesCard::rigWanted);
    body()->addStretch(1);
}

void FixesCard::offerRig(bool offers) {
    m_describe->setVisible(offers);
}

bool FixesCard::isSetting(const plan::Fix& fix) {
    using enum plan::FixKind;
    return fix.kind == kMicrobatch || fix.kind == kMicrobatchTokens || fix.kind == kRank || fix.kind == kLength;
}

void FixesCard::setProblem(const QString& problem, const QString& advice, const std::vector<plan::Fix>& fixes,
                           bool isWorking) {
    m_problem->setText(problem);
    m_advice->setText(!advice.isEmpty() ? advice
                      : !fixes.empty()  ? QString()
                      : isWorking       ? tr("Looking for what would help…")
                                        : tr("No single change is enough; change several settings."));
    m_advice->setVisible(!m_advice->text().isEmpty());
    delete m_rows;
    m_rows = new QWidget;
    auto* grid = new QGridLayout(m_rows);
    grid->setContentsMargins(0, 4, 0, 0);
    grid->setColumnStretch(0, 1);
    bool isFirst = true;
    for (const plan::Fix& fix : fixes) {
        const int line = grid->rowCount();
        const QString change = models::changeText(fix);
        auto* what = wrapped("title");
        what->setText(change);
        auto* cost = wrapped("dim");
        cost->setText(models::costText(fix));
        grid->addWidget(what, line, 0);
        grid->addWidget(cost, line + 1, 0);
        if (!isSetting(fix)) continue;
        auto* button = new QPushButton(tr("Apply"));
        if (std::exchange(isFirst, false)) button->setObjectName(QStringLiteral("primary"));
        button->setAccessibleName(tr("Apply: %1").arg(change));
        connect(button, &QPushButton::clicked, this, [this, fix] { emit fixWanted(fix); });
        grid->addWidget(button, line, 1, 2, 1);
    }
    body()->insertWidget(body()->count() - 1, m_rows);
}

} // namespace roundpipe::ui::pages
