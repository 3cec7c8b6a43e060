import type { FileHandle } from 'node:fs/promises';
import { open } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { LogQuery } from './logQuery';
import type { ContainerProcess } from './pods';

const chunkBytes = 64 * 1024;
const lookAgainMs = 150;
const newline = 10;

/** A log, opened at the start of the requested part. */
export interface OpenedLog {
  /** Yields the requested part in chunks; ends early when `signal` aborts. */
  chunks(signal: AbortSignal): AsyncGenerator<Buffer>;
  close(): Promise<void>;
}

/** Opens a log at the start of the requested part. */
export async function openLog(
  container: Pick<ContainerProcess, 'logFile' | 'run'>,
  query: LogQuery,
): Promise<OpenedLog> {
  const { run } = container;
  const handle = await openIfExists(container.logFile);
  if (!handle) return { chunks: nothing, close: () => Promise.resolve() };
  const { size } = await handle.stat();
  const start = query.tailLines === undefined ? 0 : await startOfTail(handle, size, query.tailLines);
  // Without `follow`, output after this moment is not read; otherwise a process that keeps writing would never
  // end the answer.
  const end = query.follow ? Infinity : size;
  const isOver = () => !query.follow || run === undefined || container.run !== run;
  const limit = query.limitBytes ?? Infinity;
  return {
    chunks: (signal) => readChunks(handle, start, Math.min(end, start + limit), isOver, signal),
    close: () => handle.close(),
  };
}

/** The log of a container that never wrote. */
async function* nothing(): AsyncGenerator<Buffer> {}

async function* readChunks(
  handle: FileHandle,
  start: number,
  end: number,
  isOver: () => boolean,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  let position = start;
  while (!signal.aborted) {
    // Evaluated before the read, so that output written just before the run ended is still read.
    const isLast = isOver();
    while (!signal.aborted) {
      const chunk = await readChunk(handle, position, Math.min(chunkBytes, end - position));
      if (chunk.length === 0) break;
      position += chunk.length;
      yield chunk;
    }
    if (isLast || position === end) return;
    await delay(lookAgainMs, undefined, { signal }).catch(() => undefined);
  }
}

async function openIfExists(file: string): Promise<FileHandle | undefined> {
  try {
    return await open(file, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

async function readChunk(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  if (length <= 0) return Buffer.alloc(0);
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}

/** Returns the byte position of the last `lines` lines, searched from the end. */
async function startOfTail(handle: FileHandle, size: number, lines: number): Promise<number> {
  if (lines === 0) return size;
  let count = 0;
  for (let end = size; end > 0;) {
    const start = Math.max(0, end - chunkBytes);
    const chunk = await readChunk(handle, start, end - start);
    for (let index = chunk.length - 1; index >= 0; index -= 1) {
      // The newline at the end of the file belongs to the last line.
      if (chunk[index] !== newline || start + index === size - 1) continue;
      count += 1;
      if (count === lines) return start + index + 1;
    }
    end = start;
  }
  return 0;
}
