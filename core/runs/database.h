// SPDX-License-Identifier: GPL-3.0-or-later
// SQLite, as far as this folder needs it.
#pragma once

#include "base/error.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

struct sqlite3;
struct sqlite3_stmt;

namespace roundpipe::runs {

// An open database. One thread at a time; other processes may use the same file. Everything throws kIo and kNoSpace,
// and kInvalidInput where the file is broken or no database.
class Database {
public:
    explicit Database(const std::filesystem::path& file); // makes it
    ~Database();
    Database(const Database&) = delete;
    Database& operator=(const Database&) = delete;

    void execute(const std::string& sql); // of one or several statements without results

private:
    friend class Statement;
    Error errorOf(const std::string& doing) const;

    std::filesystem::path m_file;
    sqlite3* m_handle = nullptr;
};

// One statement with its parameters, numbered from 1 in the order of bind(), and its rows' columns in the order of
// read().
class Statement {
public:
    Statement(Database& database, const std::string& sql);
    ~Statement();
    Statement(const Statement&) = delete;
    Statement& operator=(const Statement&) = delete;

    void bind(int64_t value);
    void bind(double value);
    void bind(const std::string& value);
    void bind(const std::optional<double>& value); // null where there is none

    bool next(); // the next row; false after the last one

    void read(int64_t& value);
    void read(double& value); // no number where there is null, as which SQLite keeps it
    void read(std::string& value);
    void read(std::optional<double>& value);

private:
    void require(int result);

    Database& m_database;
    sqlite3_stmt* m_handle = nullptr;
    int m_parameter = 0;
    int m_column = 0;
};

} // namespace roundpipe::runs
