import type { Schedule } from '../../components/accessWindows/schedule';
import { messageOf, type Log } from '../log';
import { allClosed, reconcile, type Assignments } from './reconcile';
import { Reconciling } from '../reconciling';
import { parseSchedule } from './schedule';

/** The date of this program: a clock that shows an earlier time is wrong. */
const writtenOn = Date.UTC(2026, 10, 23);

export interface ReconcilerOptions {
  /** Reads the schedule. */
  readonly read: () => Promise<string>;
  /** Returns the client for a cloud's resource manager. */
  readonly assignmentsAt: (resourceManager: string) => Assignments;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly log: Log;
}

/** Reconciles repeatedly. Without a valid schedule or a plausible clock, it opens nothing and closes what it can. */
export class Reconciler extends Reconciling {
  /** The last valid schedule: what it opened can be closed even if the current one cannot be read. */
  private lastSchedule: Schedule | undefined;

  constructor(private readonly options: ReconcilerOptions) {
    super(options.now);
  }

  protected async runOnce(): Promise<boolean> {
    const { now, log, assignmentsAt } = this.options;
    const { isTrusted, isWhole } = await this.readSchedule();
    const time = now();
    const isPlausible = time >= writtenOn;
    if (!isPlausible)
      log({
        event: 'failed',
        reason: `the clock shows ${new Date(time).toISOString()}: everything is closed`,
      });
    let ok = isTrusted && isWhole && isPlausible;
    if (this.lastSchedule !== undefined) {
      const { resourceManager, grants } = this.lastSchedule;
      const effectiveGrants = isTrusted && isPlausible ? grants : allClosed(grants);
      const run = { assignments: assignmentsAt(resourceManager), now, log };
      ok = (await reconcile(effectiveGrants, run)) && ok;
    }
    return ok;
  }

  /** Tells whether the schedule, and all of its windows, could be read. */
  private async readSchedule(): Promise<{ isTrusted: boolean; isWhole: boolean }> {
    const { read, log } = this.options;
    try {
      const { closed, ...schedule } = parseSchedule(await read());
      this.lastSchedule = schedule;
      for (const grant of closed)
        log({ event: 'failed', reason: `the windows of ${grant} cannot be read, so it is closed` });
      return { isTrusted: true, isWhole: closed.length === 0 };
    } catch (error) {
      log({ event: 'failed', reason: `no schedule, so everything is closed: ${messageOf(error)}` });
      return { isTrusted: false, isWhole: false };
    }
  }
}
