// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Bytes of a log that is read.

#include "record/log_format.h"

#define FIRST_PIECE ((size_t)1 << 16) // [bytes]

bool thiFetch(thLogSource* source, uint64_t offset, uint8_t* to, size_t size, size_t* got)
{
    for (*got = 0; *got < size;) {
        const int64_t more = source->read(source->context, offset + *got, to + *got, size - *got);
        if (more < 0 || (uint64_t)more > size - *got) {
            source->failure = th_resultFile;
            return false;
        }
        if (more == 0)
            break;
        *got += (size_t)more;
    }
    return true;
}

// The content of a block, in pieces: a size that is not true costs no more than what is there.
static thLogNext fetchContent(thLogSource* source, uint64_t offset, uint64_t size, thBytes* content)
{
    for (content->size = 0; content->size < size;) {
        const uint64_t left = size - content->size;
        const size_t before = content->size, most = TH_MAX(before, FIRST_PIECE);
        const size_t piece = left < most ? (size_t)left : most;
        size_t got;
        uint8_t* to;
        source->failure = thiAddBytes(content, piece, &to);
        if (source->failure != th_resultOk || !thiFetch(source, offset + before, to, piece, &got))
            return th_logFailed;
        if (got < piece)
            return th_logCut;
    }
    return th_logFrame;
}

thLogNext thiFetchBlock(thLogSource* source, uint64_t offset, thBlock* block, thBytes* content)
{
    uint8_t header[TH_BLOCK_HEADER_SIZE];
    size_t got;
    if (!thiFetch(source, offset, header, sizeof header, &got))
        return th_logFailed;
    if (got < sizeof header)
        return got == 0 ? th_logEnd : th_logCut;
    if (!thiGetBlockHeader(header, offset, block))
        return th_logDamaged;
    const thLogNext next = fetchContent(source, offset + sizeof header, block->size, content);
    if (next != th_logFrame)
        return next;
    return thiIsBlockContent(block, offset, content->data) ? th_logFrame : th_logDamaged;
}
