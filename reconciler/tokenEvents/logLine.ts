/** A line of the log of aad-pod-identity's node component. */
export interface LogLine {
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly text: string;
}

/** Severity, month and day, time in UTC, process id and source line (kubernetes/klog `formatHeader`). There is no year. */
const header = /^[IWEF](\d\d)(\d\d) (\d\d:\d\d:\d\d\.\d{3})\d{3} +\d+ [\w.-]+:\d+\] (.*)$/;

const day = 24 * 60 * 60 * 1000;

/**
 * Parses a log in klog's own format or in JSON (`nmi.loggingFormat` of the chart). Lines without a time are left out: they continue
 * the line before with text that a pod chose.
 * @param now milliseconds since 1970
 */
export function logLines(log: string, now: number): LogLine[] {
  return log.split('\n').flatMap((line) => (line.startsWith('{') ? ofJson(line) : ofText(line, now)));
}

function ofText(line: string, now: number): LogLine[] {
  const [, month, date, clock, text] = header.exec(line) ?? [];
  if (text === undefined) return [];
  const timeIn = (year: number) => Date.parse(`${year}-${month}-${date}T${clock}Z`);
  const year = new Date(now).getUTCFullYear();
  const time = [timeIn(year), timeIn(year - 1)].find((candidate) => candidate < now + day);
  return time === undefined ? [] : [{ time, text }];
}

function ofJson(line: string): LogLine[] {
  try {
    const { ts, msg } = JSON.parse(line) as { ts?: unknown; msg?: unknown };
    if (typeof ts !== 'number' || typeof msg !== 'string') return [];
    // Milliseconds in Kubernetes' format (k8s.io/component-base logs/json), seconds in its documents.
    return [{ time: ts > 1e11 ? ts : ts * 1000, text: msg.split('\n', 1)[0] ?? '' }];
  } catch {
    return [];
  }
}
