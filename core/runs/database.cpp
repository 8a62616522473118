// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/database.h"

#include <sqlite3.h>

#include <limits>

namespace roundpipe::runs {
namespace {

constexpr int kPatienceMs = 5000; // while another process writes

} // namespace

Database::Database(const std::filesystem::path& file) : m_file(file) {
    const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
    if (sqlite3_open_v2(file.c_str(), &m_handle, flags, nullptr) != SQLITE_OK) {
        const Error error = errorOf("open");
        sqlite3_close(m_handle);
        throw error;
    }
    sqlite3_busy_timeout(m_handle, kPatienceMs);
}

Database::~Database() {
    sqlite3_close(m_handle);
}

void Database::execute(const std::string& sql) {
    if (sqlite3_exec(m_handle, sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) throw errorOf("write");
}

Error Database::errorOf(const std::string& doing) const {
    const int code = sqlite3_errcode(m_handle);
    const ErrorKind kind = code == SQLITE_FULL                               ? ErrorKind::kNoSpace
                           : code == SQLITE_CORRUPT || code == SQLITE_NOTADB ? ErrorKind::kInvalidInput
                                                                             : ErrorKind::kIo;
    return Error(kind, "Could not " + doing + " '" + m_file.string() + "': " + sqlite3_errmsg(m_handle) + ".",
                 "It is only an index and can be removed: it is made again from the runs' folders.");
}

Statement::Statement(Database& database, const std::string& sql) : m_database(database) {
    require(sqlite3_prepare_v2(database.m_handle, sql.c_str(), -1, &m_handle, nullptr));
}

Statement::~Statement() {
    sqlite3_finalize(m_handle);
}

void Statement::require(int result) {
    if (result != SQLITE_OK) throw m_database.errorOf("use");
}

void Statement::bind(int64_t value) {
    require(sqlite3_bind_int64(m_handle, ++m_parameter, value));
}

void Statement::bind(double value) {
    require(sqlite3_bind_double(m_handle, ++m_parameter, value));
}

void Statement::bind(const std::string& value) {
    require(sqlite3_bind_text(m_handle, ++m_parameter, value.data(), static_cast<int>(value.size()), SQLITE_TRANSIENT));
}

void Statement::bind(const std::optional<double>& value) {
    if (value)
        bind(*value);
    else
        require(sqlite3_bind_null(m_handle, ++m_parameter));
}

bool Statement::next() {
    m_column = 0;
    const int result = sqlite3_step(m_handle);
    if (result == SQLITE_ROW) return true;
    if (result != SQLITE_DONE) throw m_database.errorOf("use");
    return false;
}

void Statement::read(int64_t& value) {
    value = sqlite3_column_int64(m_handle, m_column++);
}

void Statement::read(double& value) {
    const bool isNumber = sqlite3_column_type(m_handle, m_column) != SQLITE_NULL;
    value = isNumber ? sqlite3_column_double(m_handle, m_column) : std::numeric_limits<double>::quiet_NaN();
    ++m_column;
}

void Statement::read(std::string& value) {
    const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(m_handle, m_column));
    const int size = sqlite3_column_bytes(m_handle, m_column++);
    value.assign(text == nullptr ? "" : text, static_cast<std::size_t>(size));
}

void Statement::read(std::optional<double>& value) {
    value.reset();
    if (sqlite3_column_type(m_handle, m_column) == SQLITE_NULL)
        ++m_column;
    else
        read(value.emplace());
}

} // namespace roundpipe::runs
