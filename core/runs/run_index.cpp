// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/run_index.h"

#include "base/error.h"
#include "runs/database.h"

#include <algorithm>
#include <set>
#include <type_traits>

namespace roundpipe::runs {
namespace {

namespace fs = std::filesystem;

constexpr int64_t kIndexVersion = 5; // of the columns below and what they hold: raise it with every change of them

// Calls `see` with name and field of everything that the index keeps of a run, beside folder, fingerprint, devices and
// checkpoints.
template <class Run, class See>
void eachColumn(Run& run, const See& see) {
    see("id", run.id);
    see("name", run.name);
    see("outcome", run.outcome);
    see("problem", run.problem);
    see("advice", run.advice);
    see("started_at", run.startedAt);
    see("ended_at", run.endedAt);
    see("last_beat", run.lastBeat);
    see("model", run.model);
    see("steps", run.steps);
    see("total_steps", run.totalSteps);
    see("seconds", run.seconds);
    see("tokens", run.tokens);
    see("last_loss", run.lastLoss);
    see("first_validation", run.firstValidation);
    see("last_validation", run.lastValidation);
    see("best_validation", run.bestValidation);
    see("bytes", run.bytes);
    see("adapter_bytes", run.adapterBytes);
    see("model_bytes", run.modelBytes);
    see("note", run.note);
}

std::string columnNames() {
    std::string names;
    StoredRun run;
    eachColumn(run, [&](const char* name, const auto&) { names += std::string(", ") + name; });
    return names;
}

std::string schema() {
    return "CREATE TABLE IF NOT EXISTS runs (folder PRIMARY KEY, fingerprint" + columnNames() +
           ");"
           "CREATE TABLE IF NOT EXISTS devices (folder, device);"
           "CREATE TABLE IF NOT EXISTS checkpoints (folder, name, step, validation_loss, bytes);"
           "PRAGMA user_version = " +
           std::to_string(kIndexVersion) + ";";
}

// Those of another version go: they are made again from the runs' folders. In one transaction, as another process may
// look for them just now, or be about to make them.
void makeTables(Database& database) {
    database.execute("BEGIN IMMEDIATE;"
                     "DROP TABLE IF EXISTS runs;"
                     "DROP TABLE IF EXISTS devices;"
                     "DROP TABLE IF EXISTS checkpoints;" +
                     schema() + "COMMIT;");
}

// Throws where the file is no database.
bool isOfThisVersion(Database& database) {
    Statement version(database, "PRAGMA user_version");
    int64_t found = 0;
    if (version.next()) version.read(found);
    return found == kIndexVersion;
}

std::unique_ptr<Database> openIndex(const fs::path& file) {
    std::error_code failed;
    fs::create_directories(file.parent_path(), failed);
    if (failed) throw ioError("make the folder", file.parent_path(), failed.value());
    try {
        auto database = std::make_unique<Database>(file);
        if (!isOfThisVersion(*database)) makeTables(*database);
        return database;
    } catch (const Error& error) {
        if (error.kind() != ErrorKind::kInvalidInput) throw;
    }
    for (const char* suffix : {"", "-journal", "-wal", "-shm"})
        fs::remove(file.string() + suffix, failed);
    auto database = std::make_unique<Database>(file);
    makeTables(*database);
    return database;
}

} // namespace

RunIndex::RunIndex(const fs::path& file) : m_database(openIndex(file)) {}

RunIndex::~RunIndex() = default;

std::vector<StoredRun> RunIndex::runsIn(const std::vector<fs::path>& folders) {
    std::vector<StoredRun> runs;
    for (const fs::path& folder : folders) {
        StoredRun run;
        run.folder = folder;
        const std::string fingerprint = fingerprintOf(folder);
        if (!find(folder, fingerprint, run)) {
            run = readRun(folder);
            ++m_numRead;
            keep(run, fingerprint);
        }
        runs.push_back(std::move(run));
    }
    forgetOthers(folders);
    return runs;
}

bool RunIndex::find(const fs::path& folder, const std::string& fingerprint, StoredRun& run) {
    Statement found(*m_database, "SELECT fingerprint" + columnNames() + " FROM runs WHERE folder = ?1");
    found.bind(folder.string());
    std::string known;
    if (found.next()) found.read(known);
    if (known != fingerprint) return false;
    eachColumn(run, [&](const char*, auto& field) {
        if constexpr (std::is_same_v<std::remove_reference_t<decltype(field)>, RunOutcome>) {
            std::string text;
            found.read(text);
            field = fromSpelling<RunOutcome>(text).value_or(RunOutcome::kUnknown);
        } else {
            found.read(field);
        }
    });
    Statement devices(*m_database, "SELECT device FROM devices WHERE folder = ?1 ORDER BY rowid");
    devices.bind(folder.string());
    while (devices.next())
        devices.read(run.devices.emplace_back());
    Statement checkpoints(
        *m_database, "SELECT name, step, validation_loss, bytes FROM checkpoints WHERE folder = ?1 ORDER BY rowid");
    checkpoints.bind(folder.string());
    while (checkpoints.next()) {
        StoredCheckpoint& checkpoint = run.checkpoints.emplace_back();
        checkpoints.read(checkpoint.name);
        checkpoints.read(checkpoint.step);
        checkpoints.read(checkpoint.validationLoss);
        checkpoints.read(checkpoint.bytes);
    }
    return true;
}

void RunIndex::keep(const StoredRun& run, const std::string& fingerprint) {
    m_database->execute("BEGIN IMMEDIATE");
    try {
        for (const char* table : {"runs", "devices", "checkpoints"}) {
            Statement old(*m_database, std::string("DELETE FROM ") + table + " WHERE folder = ?1");
            old.bind(run.folder.string());
            old.next();
        }
        std::string places = "?, ?";
        eachColumn(run, [&](const char*, const auto&) { places += ", ?"; });
        Statement row(*m_database,
                      "INSERT INTO runs (folder, fingerprint" + columnNames() + ") VALUES (" + places + ")");
        row.bind(run.folder.string());
        row.bind(fingerprint);
        eachColumn(run, [&](const char*, const auto& field) {
            if constexpr (std::is_same_v<std::remove_cvref_t<decltype(field)>, RunOutcome>)
                row.bind(std::string(spellingOf(field)));
            else
                row.bind(field);
        });
        row.next();
        for (const std::string& device : run.devices) {
            Statement one(*m_database, "INSERT INTO devices VALUES (?, ?)");
            one.bind(run.folder.string());
            one.bind(device);
            one.next();
        }
        for (const StoredCheckpoint& checkpoint : run.checkpoints) {
            Statement one(*m_database, "INSERT INTO checkpoints VALUES (?, ?, ?, ?, ?)");
            one.bind(run.folder.string());
            one.bind(checkpoint.name);
            one.bind(checkpoint.step);
            one.bind(checkpoint.validationLoss);
            one.bind(checkpoint.bytes);
            one.next();
        }
        m_database->execute("COMMIT");
    } catch (...) {
        m_database->execute("ROLLBACK");
        throw;
    }
}

void RunIndex::forgetOthers(const std::vector<fs::path>& folders) {
    const std::set<fs::path> wanted(folders.begin(), folders.end());
    std::vector<std::string> gone;
    Statement all(*m_database, "SELECT folder FROM runs");
    for (std::string folder; all.next();) {
        all.read(folder);
        if (!wanted.contains(folder)) gone.push_back(folder);
    }
    for (const std::string& folder : gone)
        for (const char* table : {"runs", "devices", "checkpoints"}) {
            Statement row(*m_database, std::string("DELETE FROM ") + table + " WHERE folder = ?1");
            row.bind(folder);
            row.next();
        }
}

} // namespace roundpipe::runs
