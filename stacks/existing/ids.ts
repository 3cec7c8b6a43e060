import type { StackSettings } from '../configuration/schema';
import type { EnvironmentPlan } from '../plan';
import { adoptedThings } from './adopted';

/** Azure compares ids without regard to case. */
export function normal(id: string): string {
  return id.toLowerCase().replace(/\/+$/, '');
}

/** Ids of what the configuration uses and does not make. */
export function adoptedIds(settings: StackSettings, plan: EnvironmentPlan): string[] {
  return adoptedThings({ settings, plan }).map(({ id }) => id);
}
