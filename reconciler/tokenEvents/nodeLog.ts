import type { Kubernetes } from './kubernetes';
import { logLines, type LogLine } from './logLine';
import { longestRequest } from './requests';

/** A pod of the node component. */
export interface NodePod {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

/** The end of the log of a node component. */
export interface ReadLog {
  readonly lines: readonly LogLine[];
  /** Characters of its text. */
  readonly size: number;
  /** Lines since the time are left out. */
  readonly isCut: boolean;
}

/** So many lines are asked for until they go far enough back: a pod can fill the log, and the program's memory is small. */
const counts = [500, 2000, 8000, 20_000];

/** Bytes of a log that are read. */
export const mostBytes = 8 * 1024 * 1024;

/**
 * The end of the log, with all requests that ended since the time, or as much as is read of one at most. Lines are counted,
 * since not every kubelet knows when it got them.
 * @param from milliseconds since 1970
 * @param now milliseconds since 1970
 */
export async function readLog(
  kubernetes: Pick<Kubernetes, 'log'>,
  pod: NodePod,
  from: number,
  now: number,
): Promise<ReadLog> {
  let read: ReadLog = { lines: [], size: 0, isCut: false };
  for (const count of counts) {
    const text = await kubernetes.log(pod, count, mostBytes);
    // Such a text lacks its end: the one with fewer lines has it, if there is one.
    const isTooLong = Buffer.byteLength(text) >= mostBytes;
    if (isTooLong && read.lines.length > 0) break;
    const lines = logLines(text, now);
    const begin = lines[0]?.time ?? Infinity;
    const isEnough = text.split('\n').length <= count || begin < from - longestRequest;
    read = { lines, size: text.length, isCut: isTooLong || (!isEnough && begin > from) };
    if (isTooLong || isEnough) break;
  }
  return read;
}
