// SPDX-License-Identifier: GPL-3.0-or-later
#include "test_services.h"
#include "ui/models/export_text.h"
#include "ui/shell/main_window.h"
#include "ui/timeline/panels/shortcuts.h"
#include "ui/translations/language.h"
#include "ui/translations/number_text.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QDialog>
#include <QHeaderView>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QPaintEngine>
#include <QPlainTextEdit>
#include <QRegularExpression>
#include <QTabBar>
#include <QTest>
#include <QTranslator>

using namespace roundpipe;
using ui::shell::MainWindow;
using ui::translations::Language;

namespace {

// A language in which every letter is a wide one: what is left in plain letters was never translated. Placeholders and
// ends of lines stay.
class WideLetters : public QTranslator {
public:
    using QTranslator::QTranslator;
    QString translate(const char* context, const char* source, const char*, int) const override {
        if (qstrncmp(context, "Q", 1) == 0) return {}; // Qt's own texts, which come with Qt
        QString wide = QString::fromUtf8(source);
        for (qsizetype i = 0; i < wide.size(); ++i) {
            const bool isHeld = i > 0 && (wide[i - 1] == QLatin1Char('%') || wide.mid(i - 2, 2) == QLatin1String("%L"));
            if (!isHeld && wide[i] > QLatin1Char(' ') && wide[i] <= QLatin1Char('~') && wide[i].isLetter())
                wide[i] = QChar(wide[i].unicode() + 0xFEE0);
        }
        return wide;
    }
    bool isEmpty() const override { return false; }
};

// Takes what is painted apart and keeps its texts.
class TextCatcher : public QPaintDevice {
public:
    explicit TextCatcher(QSize size) : m_size(size) {}
    QPaintEngine* paintEngine() const override { return &m_engine; }
    const QStringList& texts() const { return m_engine.texts; }

protected:
    int metric(PaintDeviceMetric metric) const override {
        switch (metric) {
        case PdmWidth:
            return m_size.width();
        case PdmHeight:
            return m_size.height();
        case PdmDpiX:
        case PdmDpiY:
        case PdmPhysicalDpiX:
        case PdmPhysicalDpiY:
            return 96;
        case PdmDepth:
            return 32;
        case PdmDevicePixelRatio:
            return 1;
        default:
            return QPaintDevice::metric(metric);
        }
    }

private:
    class Engine : public QPaintEngine {
    public:
        Engine() : QPaintEngine(AllFeatures) {}
        bool begin(QPaintDevice*) override { return true; }
        bool end() override { return true; }
        void updateState(const QPaintEngineState&) override {}
        void drawPixmap(const QRectF&, const QPixmap&, const QRectF&) override {}
        void drawPolygon(const QPointF*, int, PolygonDrawMode) override {}
        void drawPath(const QPainterPath&) override {}
        void drawImage(const QRectF&, const QImage&, const QRectF&, Qt::ImageConversionFlags) override {}
        void drawTextItem(const QPointF&, const QTextItem& item) override { texts.append(item.text()); }
        Type type() const override { return User; }
        QStringList texts;
    };
    QSize m_size;
    mutable Engine m_engine;
};

// What no language changes: units, keys of settings, names of formats and things, and what core says in English (errors
// and warnings).
bool isData(const QString& text) {
    static const QRegularExpression kTags(QStringLiteral("<[^>]*>|&[a-z]+;"));
    static const QRegularExpression kKnown(QStringLiteral(
        R"((/|\w+[._])[\w/.@-]+|roundpipe-test-\w+|[0-9]*x?(4090|3090|h200)[\w@+,=]*|(Ctrl|Alt|Shift)\+(Return|Up|Down)?|\bDel\b|list of objects|conte…)"
        R"(|\b(KiB|MiB|GiB|TiB|GB|ms|ns|µs|min|p50|p95|p99|GPU|CPU worker|CPU|cpu|cuda|sim|RTX|H200|PCIe|auto)\b)"
        R"(|\b(fp32|bf16|fp64|F32|BF16|LoRA|lora|all-linear|Qwen3\w*|qwen3|PEFT|vLLM|GPipe|RoundPipe|English|Deutsch)\b)"
        R"(|\b(json|JSONL?|CSV|HTML|PDF|name|seed|method|model|rows|user|assistant|system|role|content|im_start|im_end)\b)"
        R"(|\b(messages|conversations|tools|instruction|input|output|history|prompt|completion|text|segments|string)\b)"
        R"(|\b\d+ (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d+)"
        R"(|\b(Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day \d+:\d+)")); // QLocale's, shortly before midnight
    static const QRegularExpression kOfCore(
        QStringLiteral(R"(\(simulated\) What the|base model|stands here|parse error)"));
    static const QRegularExpression kWord(QStringLiteral("[A-Za-z]{2,}"));
    if (kOfCore.match(text).hasMatch()) return true;
    QString rest = text;
    rest.replace(kTags, QStringLiteral(" ")).remove(kKnown);
    return !kWord.match(rest).hasMatch();
}

class Leaks {
public:
    void see(const QString& where, const QString& text) {
        if (!isData(text)) m_found.insert(QStringLiteral("%1: %2").arg(where, text.simplified().left(160)));
    }
    void seeAction(const QString& where, const QAction& action) {
        see(where + QStringLiteral(" action"), action.text());
        see(where + QStringLiteral(" action's tip"), action.toolTip());
        if (action.menu() == nullptr) return;
        see(where + QStringLiteral(" menu"), action.menu()->title());
        for (const QAction* item : action.menu()->actions())
            seeAction(where, *item);
    }
    void seeProperties(const QString& where, const QWidget& widget) {
        const QString name = where + QLatin1Char(' ') + QLatin1String(widget.metaObject()->className());
        see(name + QStringLiteral(" tip"), widget.toolTip());
        see(name + QStringLiteral(" name"), widget.accessibleName());
        see(name + QStringLiteral(" description"), widget.accessibleDescription());
        for (const char* property :
             {"text", "placeholderText", "title", "windowTitle", "plainText", "prefix", "suffix"})
            if (const QVariant value = widget.property(property); value.canConvert<QString>())
                see(name + QLatin1Char(' ') + QLatin1String(property), value.toString());
        if (const auto* list = qobject_cast<const QComboBox*>(&widget))
            for (int i = 0; i < list->count(); ++i)
                see(name + QStringLiteral(" item"), list->itemText(i));
        if (const auto* tabs = qobject_cast<const QTabBar*>(&widget))
            for (int i = 0; i < tabs->count(); ++i)
                see(name + QStringLiteral(" tab"), tabs->tabText(i) + tabs->tabToolTip(i));
        if (const auto* view = qobject_cast<const QAbstractItemView*>(&widget); view && view->model())
            seeModel(name, *view->model());
        for (const QAction* action : widget.actions())
            seeAction(name, *action);
    }
    // What Qt words itself, and its own package translates.
    static bool isOfQt(const QWidget& widget) {
        const QWidget* parent = widget.parentWidget();
        return parent != nullptr && (parent->inherits("QTabBar") || parent->inherits("QDialogButtonBox"));
    }
    void seePainted(const QString& where, QWidget& widget) {
        TextCatcher catcher(widget.size());
        widget.render(&catcher);
        for (const QString& text : catcher.texts())
            see(where + QStringLiteral(" painted"), text);
    }
    void seeAll(const QString& where, QWidget& widget) {
        seeProperties(where, widget);
        for (const QWidget* child : widget.findChildren<QWidget*>())
            if (child->isVisible() && !isOfQt(*child)) seeProperties(where, *child);
        seePainted(where, widget);
    }
    QStringList list() const { return {m_found.begin(), m_found.end()}; }

private:
    void seeModel(const QString& name, const QAbstractItemModel& model) {
        for (int column = 0; column < model.columnCount(); ++column) {
            for (const int role : {Qt::DisplayRole, Qt::ToolTipRole})
                see(name + QStringLiteral(" header"), model.headerData(column, Qt::Horizontal, role).toString());
            for (int row = 0; row < std::min(50, model.rowCount()); ++row)
                for (const int role : {Qt::DisplayRole, Qt::ToolTipRole, Qt::AccessibleTextRole})
                    see(name + QStringLiteral(" cell"), model.index(row, column).data(role).toString());
        }
    }
    QSet<QString> m_found;
};

} // namespace

class TestTranslations : public QObject {
    Q_OBJECT

private:
    static constexpr const char* kPages[] = {"start", "model",   "data", "settings", "plan",
                                             "run",   "results", "runs", "queue",    "playground"};

    static void lookAtPages(MainWindow& window, const QString& state, Leaks& leaks) {
        for (const char* page : kPages) {
            window.showPage(QLatin1String(page));
            QTest::qWait(50);
            leaks.seeAll(state + QLatin1Char(' ') + QLatin1String(page), window);
        }
    }
    // A project whose own texts are Greek, so that they are no leaks: the demo's model with rows of our own.
    static void makeProject(const std::filesystem::path& folder) {
        const std::filesystem::path demo = testing::sourceFolder() / "resources" / "demo";
        std::string rows;
        for (const char* answer : {"δύο", "τρία", "δύο", "", "ένα <|im_end|> τώρα"})
            rows += std::string(R"({"messages":[{"role":"user","content":"πόσα;"},{"role":"assistant","content":")") +
                    answer + "\"}]}\n";
        writeFileAtomically(folder / "rows.jsonl", rows + "{\n");
        std::filesystem::create_directories(folder / "data");
        writeFileAtomically(folder / "data" / "prompts.json", R"(["Ποιος είσαι;"])");
        session::RunSpec spec;
        spec.name = "Δοκιμή";
        spec.model.path = (demo / "model").string();
        spec.data.datasets.front().files = {(folder / "rows.jsonl").string()};
        spec.data.cache = false;
        spec.batch.microbatches = 4; // steps are short
        spec.duration.maxSteps = 100'000;
        spec.output.folder = (folder / "out").string();
        session::writeRunSpec(spec, folder / "run.json");
    }
    static void verify(const Leaks& leaks) {
        const QStringList found = leaks.list();
        for (const QString& leak : found)
            qWarning("%s", qPrintable(leak));
        QCOMPARE(found.size(), 0);
    }

private slots:
    void choosesTheLanguage() {
        using ui::translations::shownLanguage;
        const auto system = [](const QStringList& names) { return shownLanguage(Language::kSystem, names); };
        QCOMPARE(system({QStringLiteral("de-AT"), QStringLiteral("de")}), Language::kGerman);
        QCOMPARE(system({QStringLiteral("zh-Hans-CN")}), Language::kChinese);
        QCOMPARE(system({QStringLiteral("zh-TW")}), Language::kEnglish); // other letters
        QCOMPARE(system({QStringLiteral("fr"), QStringLiteral("de")}), Language::kGerman);
        QCOMPARE(system({QStringLiteral("en-GB"), QStringLiteral("de")}), Language::kEnglish);
        QCOMPARE(system({}), Language::kEnglish);
        QCOMPARE(shownLanguage(Language::kChinese, {QStringLiteral("de")}), Language::kChinese);
    }

    // Nothing that a person sees or hears goes past the translations, before a project, in one and in a run.
    void everyTextIsTranslated() {
        WideLetters wide;
        QCoreApplication::installTranslator(&wide);
        Leaks leaks;
        {
            testing::TestServices test;
            makeProject(test.home.path());
            MainWindow window(test.services());
            window.resize(1400, 900);
            window.show();
            for (const QAction* menu : window.menuBar()->actions())
                leaks.seeAction(QStringLiteral("menu"), *menu);
            lookAtPages(window, QStringLiteral("empty"), leaks);
            test.plan.setRig("2x4090");
            test.document.open(test.home.path() / "run.json");
            QVERIFY(QTest::qWaitFor([&] { return test.workbench.status().state == session::WorkbenchState::kReady; },
                                    30'000));
            QVERIFY(QTest::qWaitFor([&] { return test.plan.answer() != nullptr && !test.plan.isWorking(); }, 30'000));
            lookAtPages(window, QStringLiteral("project"), leaks);
            test.useSimulatedEngine(5);
            test.commands.start()->trigger();
            QVERIFY(QTest::qWaitFor([&] { return test.run.snapshot().step >= 3; }, 20'000));
            lookAtPages(window, QStringLiteral("run"), leaks);
            ui::timeline::showShortcuts(&window, ui::timeline::Gestures::kZoomAndPan);
            for (QDialog* dialog : window.findChildren<QDialog*>())
                for (const QWidget* child : dialog->findChildren<QWidget*>())
                    if (!Leaks::isOfQt(*child)) leaks.seeProperties(QStringLiteral("dialog"), *child);
            test.commands.discard()->trigger();
            QVERIFY(QTest::qWaitFor([&] { return !test.run.isRunning(); }, 20'000));
        }
        QCoreApplication::removeTranslator(&wide);
        verify(leaks);
    }

    // Sizes, times and shares that core or a page wrote, with the language's comma; texts that hold a number stay.
    void writesNumbersAsTheLanguageDoes() {
        using namespace ui::translations;
        QLocale::setDefault(QLocale(QLocale::German));
        QCOMPARE(bytesText(1'610'612'736), QStringLiteral("1,50\u00a0GiB"));
        QCOMPARE(durationText(0.35), QStringLiteral("0,35\u00a0s"));
        QCOMPARE(countText(24'600), QStringLiteral("24,6\u00a0k"));
        QCOMPARE(fixedText(1234.5, 2), QStringLiteral("1.234,50"));
        QCOMPARE(shortText(2e-5, 12), QStringLiteral("0,00002")); // as its neighbour 0,0001
        QCOMPARE(shortText(-7.3e-5, 2), QStringLiteral("-0,000073"));
        QCOMPARE(shortText(1e-8, 12), QStringLiteral("1e-08"));
        QCOMPARE(shortText(0.0035, 2), QStringLiteral("0,0035"));
        QCOMPARE(localText("1:05.25 min"), QStringLiteral("1:05,25\u00a0min"));
        QCOMPARE(localText("Qwen2.5-7B"), QStringLiteral("Qwen2.5-7B"));
        QCOMPARE(localText("/models/v1.5 b"), QStringLiteral("/models/v1.5 b"));
        QCOMPARE(numberOf(QStringLiteral(" 0,5 ")), std::optional(0.5));
        QCOMPARE(numberOf(QStringLiteral("0.5")), std::optional(0.5)); // as files have it
        QCOMPARE(numberOf(QStringLiteral("2e-4")), std::optional(2e-4));
        QCOMPARE(numberOf(QStringLiteral("1.500")), std::optional(1500.0)); // as the window itself writes it
        QCOMPARE(numberOf(QStringLiteral("1.234.567,5")), std::optional(1234567.5));
        QCOMPARE(numberOf(QStringLiteral("0.001")), std::optional(0.001));
        QCOMPARE(numberOf(QStringLiteral("1.50")), std::optional(1.5));
        QCOMPARE(numberOf(QStringLiteral("half")), std::optional<double>());
        QLocale::setDefault(QLocale::c());
        QCOMPARE(bytesText(1'610'612'736), QStringLiteral("1.50\u00a0GiB"));
        QCOMPARE(numberOf(QStringLiteral("0,5")), std::optional<double>());
        QCOMPARE(numberOf(QStringLiteral("1.500")), std::optional(1.5));
        QCOMPARE(numberOf(QStringLiteral("1,500")), std::optional(1500.0));
    }

    void figuresKeepTheirUnitsInOneLine() {
        using namespace ui::translations;
        QCOMPARE(durationText(82), QStringLiteral("1\u00a0min\u00a022\u00a0s"));
        QCOMPARE(localText("12 GiB"), QStringLiteral("12\u00a0GiB"));
        QCOMPARE(localText("3.2 GB/s"), QStringLiteral("3.2\u00a0GB/s"));
        QCOMPARE(localText("my run 5 s"), QStringLiteral("my run 5 s")); // a name
        QCOMPARE(withWholeFigures(QStringLiteral("waits 18 % of 0.3 s, at 4 stages and 70 °C")),
                 QStringLiteral("waits 18\u00a0% of 0.3\u00a0s, at 4 stages and 70\u00a0°C"));
    }

    void speaksGerman() { speaks(Language::kGerman, "Einstellungen", "1.234.567", "3 Läufe"); }
    void speaksChinese() { speaks(Language::kChinese, "设置", "1,234,567", "3 个运行"); }
    void countsInEnglish() { speaks(Language::kEnglish, "Settings", "1,234,567", "3 runs"); }

private:
    // Sentences and names follow each other without ASCII's blank and comma.
    static void joinsAsChineseDoes() {
        using namespace session;
        ExportRemark remark;
        remark.refuses = true;
        remark.what = CodedText<ExportNote>(ExportNote::kWholeModules, "lm_head");
        remark.advice = CodedText<ExportAdvice>(ExportAdvice::kNoWholeModules);
        const QString text = ui::models::remarkText(remark);
        QVERIFY2(text.count(QStringLiteral("。")) >= 2, qPrintable(text));
        QVERIFY2(!text.contains(QStringLiteral("。 ")), qPrintable(text));
        runs::ExportRecord made;
        made.kind = "gguf";
        made.type = "q8_0";
        QVERIFY(ui::models::exportName(made).endsWith(QStringLiteral("，q8_0")));
    }

    void speaks(Language language, const char* settings, const char* number, const char* runs) {
        ui::translations::use(language, *qApp);
        const auto text = [](const char* context, const char* source, int count = -1) {
            return QCoreApplication::translate(context, source, nullptr, count);
        };
        QCOMPARE(text("roundpipe::ui::pages::SettingsPage", "Settings"), QString::fromUtf8(settings));
        QCOMPARE(text("roundpipe::ui::pages::RunsPage", "%n run(s)", 3), QString::fromUtf8(runs));
        QCOMPARE(QLocale().toString(1'234'567), QString::fromUtf8(number));
        if (language == Language::kChinese) joinsAsChineseDoes();
        for (QTranslator* translator : qApp->findChildren<QTranslator*>())
            delete translator; // is removed by that
        QLocale::setDefault(QLocale::c());
    }
};

QTEST_MAIN(TestTranslations)
#include "tst_translations.moc"
