import type { Kubernetes } from './kubernetes';
import { logLines, type LogLine } from './logLine';

/** A pod of the node component. */
export interface NodePod {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

/** The end of the log of a node component. */
export interface ReadLog {
  readonly lines: readonly LogLine[];
  /** It has no earlier line. */
  readonly isWhole: boolean;
  /** It reaches back as far as was asked for. */
  readonly isEnough: boolean;
}

/** Lines that are asked for at first, and at most. */
const fewest = 500;
const most = 128_000;

/**
 * The end of the log, as far back as the time at least. Lines are counted, since not every kubelet knows when it got them.
 * @param back milliseconds since 1970
 * @param now milliseconds since 1970
 */
export async function readLog(
  kubernetes: Pick<Kubernetes, 'log'>,
  pod: NodePod,
  back: number,
  now: number,
): Promise<ReadLog> {
  for (let count = fewest; ; count *= 4) {
    const text = await kubernetes.log(pod, count);
    const lines = logLines(text, now);
    const isWhole = text.split('\n').length <= count;
    const isEnough = isWhole || (lines[0]?.time ?? Infinity) < back;
    if (isEnough || count * 4 > most) return { lines, isWhole, isEnough };
  }
}
