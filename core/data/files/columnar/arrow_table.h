// SPDX-License-Identifier: GPL-3.0-or-later
// Arrow's IPC format, as a stream (what save_to_disk of Hugging Face's datasets writes) or as a file: its record
// batches.
//
// Both are the same messages one after another: a schema, dictionaries, batches. Opening passes over their headings, so
// that any batch is found at once, with what must stand before it; the end of a file, which lists them once more, is
// not read. Source: Arrow's columnar format, "Serialization and interprocess communication".
#pragma once

#include "data/files/columnar/table.h"

#include <arrow/io/file.h>
#include <arrow/ipc/message.h>

#include <memory>
#include <string>
#include <vector>

namespace roundpipe::columnar {

class ArrowTable final : public RpTable {
public:
    arrow::Status open(const std::string& path);

private:
    // A message's bytes in the file.
    struct Extent {
        int64_t begin = 0, size = 0;
    };
    struct Batch {
        Extent extent;
        std::size_t numShared = 0; // of m_shared, which stand before it
        bool isCutOff = false;     // nothing can be read from here on
    };
    arrow::Result<bool> holdsMagicAt(int64_t offset) const;
    arrow::Status addMessages(int64_t offset, bool isFile);
    arrow::Status addMessage(const arrow::ipc::Message& message, Extent extent);
    arrow::Status addCutOff(int64_t numRows); // OK
    arrow::Result<std::shared_ptr<arrow::RecordBatchReader>> openGroup(std::size_t group) override;

    std::shared_ptr<arrow::io::ReadableFile> m_file;
    int64_t m_size = 0;
    std::vector<Extent> m_shared; // the schema and dictionaries
    std::vector<Batch> m_content; // of each group
};

} // namespace roundpipe::columnar
