import * as z from 'zod';

const window = z.object({
  days: z.array(z.string()).exactOptional(),
  from: z.string().exactOptional(),
  to: z.string().exactOptional(),
  timeZone: z.string(),
  validFrom: z.string().exactOptional(),
  validUntil: z.string().exactOptional(),
});

/** The times of a secret or a role that a workload has only at times. */
export const times = z.object({
  /** Schedules on which it is open, in local time. */
  windows: z.array(window),
  /** The longest time for which a person may open it, such as `4h`. */
  onDemand: z.string().exactOptional(),
});

/** The same, without unknown fields. */
export const strictTimes = z.strictObject({ ...times.shape, windows: z.array(z.strictObject(window.shape)) });
