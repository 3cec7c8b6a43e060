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
  /** Length of its text in characters. */
  readonly size: number;
  /** Lines since the requested time are missing. */
  readonly isCut: boolean;
}

/** Numbers of lines that are requested in turn until they go back far enough. A pod can fill the log, and memory is limited. */
const counts = [500, 2000, 8000, 20_000];

/** Maximum number of bytes to read from a log. */
export const mostBytes = 8 * 1024 * 1024;

/**
 * Reads the end of a log with all requests that ended since `from`, up to the limits above. It selects by line count, because
 * not every kubelet can select by time.
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
    // At the limit, the end of the log is cut off. The previous read with fewer lines has it, if there is one.
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
