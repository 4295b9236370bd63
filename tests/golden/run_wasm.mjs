// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Runs a WebAssembly program that only prints: node run_wasm.mjs PROGRAM.wasm [ARGUMENTS...]
// The few system calls it makes are given here, because node's own module for them changes from
// version to version.

import { readFileSync, writeSync } from "node:fs";

const [path, ...rest] = process.argv.slice(2);
const words = [path, ...rest].map((word) => Buffer.from(word + "\0"));
const bytes = (list) => list.reduce((sum, item) => sum + item.length, 0);

const ok = 0;
const badFile = 8;
let memory;
const view = () => new DataView(memory.buffer);

class Exit extends Error {
  constructor(code) {
    super(`exit ${code}`);
    this.code = code;
  }
}

const calls = {
  args_sizes_get(countAt, sizeAt) {
    view().setUint32(countAt, words.length, true);
    view().setUint32(sizeAt, bytes(words), true);
    return ok;
  },
  args_get(listAt, textAt) {
    words.forEach((word, i) => {
      view().setUint32(listAt + 4 * i, textAt, true);
      new Uint8Array(memory.buffer).set(word, textAt);
      textAt += word.length;
    });
    return ok;
  },
  fd_write(file, vectorsAt, count, writtenAt) {
    let written = 0;
    for (let i = 0; i < count; ++i) {
      const at = view().getUint32(vectorsAt + 8 * i, true);
      const size = view().getUint32(vectorsAt + 8 * i + 4, true);
      for (let done = 0; done < size; )
        done += writeSync(file, new Uint8Array(memory.buffer, at + done, size - done));
      written += size;
    }
    view().setUint32(writtenAt, written, true);
    return ok;
  },
  clock_time_get(clock, precision, timeAt) {
    view().setBigUint64(timeAt, process.hrtime.bigint(), true);
    return ok;
  },
  proc_exit(code) {
    throw new Exit(code);
  },
};

const module = new WebAssembly.Module(readFileSync(path));
const imports = { wasi_snapshot_preview1: { ...calls } };
for (const wanted of WebAssembly.Module.imports(module))
  imports[wanted.module][wanted.name] ??= () => badFile;
const instance = new WebAssembly.Instance(module, imports);
memory = instance.exports.memory;
try {
  instance.exports._start();
} catch (error) {
  if (!(error instanceof Exit)) throw error;
  process.exitCode = error.code;
}
