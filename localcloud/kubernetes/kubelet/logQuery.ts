import { Refusal } from './refusal';

/** The requested part of a log. */
export interface LogQuery {
  /** True to send new output until the container's current run ends. */
  follow: boolean;
  /** True to read the log of the run before. @default false */
  previous?: boolean;
  /** Number of last lines. @default all */
  tailLines?: number;
  /** Longest answer in bytes. @default no limit */
  limitBytes?: number;
}

const noTimes = 'logs of the local cloud have no timestamps: omit the parameter, or use --tail';

/** Unsupported options of kubectl, each with the reason, by parameter name of the API server (PodLogOptions). */
const refused: Record<string, string> = {
  sinceSeconds: `--since: ${noTimes}`,
  sinceTime: `--since-time: ${noTimes}`,
  timestamps: `--timestamps: ${noTimes}`,
};

/** Parses the parameters of a log request. @throws Refusal for parameters that the local cloud does not support */
export function parseLogQuery(parameters: URLSearchParams): LogQuery {
  const query: LogQuery = { follow: false };
  for (const [name, value] of parameters) {
    if (name === 'follow') query.follow = flag(name, value);
    else if (name === 'previous') query.previous = flag(name, value);
    else if (name === 'tailLines') query.tailLines = count(name, value, 0);
    else if (name === 'limitBytes') query.limitBytes = count(name, value, 1);
    else if (name === 'stream') {
      if (value !== 'All')
        throw new Refusal(`stream=${value}: stdout and stderr are one log; only All is allowed`);
    } else if (Object.hasOwn(refused, name)) {
      const isOff = name === 'timestamps' && !flag(name, value);
      if (!isOff) throw new Refusal(refused[name] ?? name);
    } else
      throw new Refusal(
        `parameter ${name}: unknown; supported are follow, previous, tailLines, limitBytes, stream`,
      );
  }
  return query;
}

function flag(name: string, value: string): boolean {
  if (value === 'true' || value === '1') return true;
  if (value === 'false' || value === '0') return false;
  throw new Refusal(`${name}=${value}: allowed are true and false`);
}

function count(name: string, value: string, least: number): number {
  const number = /^\d{1,15}$/.test(value) ? Number(value) : -1;
  if (number < least) throw new Refusal(`${name}=${value}: must be an integer of at least ${least}`);
  return number;
}
