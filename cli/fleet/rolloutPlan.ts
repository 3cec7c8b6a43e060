import type { Configuration } from '../../stacks/plan';
import type { OfCell } from '../../stacks/configuration';
import { quotas, rates, type Quota, type Scope } from './limits';
import { wavesOf } from './rollout';
import { objectsOfCell, objectsOfEnvironment, type Objects } from './objects';

// How long a first rollout takes at Azure's limits, and whether what it creates is within them. Pure.

/** How a rollout is run. */
export interface RolloutOptions {
  /** Number of cells that are deployed at the same time. */
  readonly parallel: number;
  /** Minutes for a cell that no limit slows down. */
  readonly cellMinutes: number;
  /** Quotas that Microsoft raised, by name. */
  readonly raised: ReadonlyMap<string, number>;
  /** Id of the subscription that is deployed to, unless the resource group names its own. Default: unknown. */
  readonly subscription?: string | undefined;
}

interface CellOfWave {
  readonly name: string;
  readonly stack: string;
  readonly clusters: readonly string[];
  /** Number of resources that its first deployment writes in Azure. */
  readonly writes: number;
}

/** The time that a wave takes at one limit. */
interface Bound {
  /** Name of the limit; `parallel` is the number of cells at once. */
  readonly limit: string;
  readonly what: string;
  readonly seconds: number;
}

export interface WaveOfRollout {
  readonly wave: number;
  readonly cells: readonly CellOfWave[];
  /** Expected seconds: those of the limit that takes longest. */
  readonly seconds: number;
  /** From the limit that takes longest, which binds, to the shortest. Limits that cost no time are left out. */
  readonly bounds: readonly [Bound, ...Bound[]];
}

/** The use of a quota in the place where it is used most. */
export interface Use {
  readonly limit: string;
  readonly what: string;
  readonly per: Scope;
  /** Name of the identity, the region or the subscription. */
  readonly place: string;
  readonly count: number;
  readonly most: number;
  readonly hint: string;
}

export interface Rollout {
  readonly environment: string;
  readonly waves: readonly WaveOfRollout[];
  /** Expected seconds of all waves, one after the other. */
  readonly seconds: number;
  /** Time that Azure's limits need alone, if all cells were deployed at once; undefined if they cost no time. */
  readonly bound?: Bound;
  /** `seconds` in proportion to those of `bound`. */
  readonly ratio?: number;
  readonly quotas: readonly Use[];
  /** Subscriptions that the settings name, if that of the environment is unknown: it may be one of them. */
  readonly countedApart: readonly string[];
}

/** Returns the waves of a first rollout and the use of every quota. */
export function planRollout(
  configuration: Configuration,
  ofCell: OfCell,
  { parallel, cellMinutes, raised, subscription }: RolloutOptions,
): Rollout {
  const { environment, cells, settings } = configuration;
  const own = settings.resourceGroup.existing?.subscriptionId ?? subscription;
  const places: Record<Scope, string> = {
    ...{ identity: '', vault: settings.vault.name, region: settings.location, tenant: 'the tenant' },
    subscription: own?.toLowerCase() ?? `the subscription of ${environment}`,
  };
  const objects = new Map(cells.map((cell) => [cell.name, objectsOfCell(ofCell(cell, {}))]));
  const buckets = new Buckets(places);
  const waves = wavesOf(cells).map((here, index): WaveOfRollout => {
    const wave = index + 1;
    const all = here.flatMap(({ name }) => objects.get(name) ?? []);
    const rounds = Math.ceil(here.length / parallel);
    const bounds = [
      { limit: 'parallel', what: `${parallel} cells at once`, seconds: rounds * cellMinutes * 60 },
      ...buckets.boundsOf(all),
    ].sort(longestFirst) as [Bound, ...Bound[]];
    buckets.pass(all, bounds[0].seconds);
    return {
      ...{ wave, seconds: bounds[0].seconds, bounds },
      cells: here.map(({ name, stack, clusters }) => ({
        ...{ name, stack, clusters },
        writes: sum((objects.get(name) ?? []).filter(({ kind }) => kind === 'write')),
      })),
    };
  });
  const ofCells = [...objects.values()].flat();
  const all = [...objectsOfEnvironment(configuration), ...ofCells];
  const seconds = waves.reduce((total, wave) => total + wave.seconds, 0);
  const [bound] = new Buckets(places).boundsOf(ofCells).sort(longestFirst);
  return {
    ...{ environment, waves, seconds },
    ...(bound && { bound, ratio: Number((seconds / bound.seconds).toFixed(3)) }),
    quotas: quotas.map((quota) => useOf(quota, raised.get(quota.name), all, places)),
    countedApart: own === undefined ? [...new Set(all.flatMap(({ place }) => place.subscription ?? []))] : [],
  };
}

/** Returns what exceeds its quota. */
export function exceeded({ quotas: all }: Pick<Rollout, 'quotas'>): Use[] {
  return all.filter(({ count, most }) => count > most);
}

const longestFirst = (one: Bound, other: Bound) => other.seconds - one.seconds;

/** The token buckets of Azure's rates, full at first. Requests come as early as the buckets allow. */
class Buckets {
  /** Tokens by place, for each rate; the bucket of another place is full. */
  private readonly tokens = new Map(rates.map((rate) => [rate, new Map<string, number>()]));

  constructor(private readonly places: Places) {}

  /** Returns the time that each rate costs these requests; rates that cost none are left out. */
  boundsOf(all: readonly Objects[]): Bound[] {
    return [...this.tokens].flatMap(([{ name, what, counts, per, burst, perSecond }, tokens]) => {
      const requests = [...counted(all, counts, per, this.places)];
      const waits = requests.map(([place, count]) => count - (tokens.get(place) ?? burst));
      const seconds = Math.ceil(Math.max(0, ...waits) / perSecond);
      return seconds === 0 ? [] : { limit: name, what, seconds };
    });
  }

  /** Takes the tokens of these requests out, and refills the buckets for a time. */
  pass(all: readonly Objects[], seconds: number): void {
    for (const [{ counts, per, burst, perSecond }, tokens] of this.tokens) {
      const requests = counted(all, counts, per, this.places);
      for (const place of new Set([...tokens.keys(), ...requests.keys()])) {
        const left = (tokens.get(place) ?? burst) - (requests.get(place) ?? 0);
        tokens.set(place, Math.min(burst, left + seconds * perSecond));
      }
    }
  }
}

function useOf(
  { name, what, counts, per, most, hint }: Quota,
  raised: number | undefined,
  all: readonly Objects[],
  places: Places,
): Use {
  const [place, count] = [...counted(all, counts, per, places)].reduce(
    (fullest, next) => (next[1] > fullest[1] ? next : fullest),
    [places[per], 0],
  );
  return { limit: name, what, per, place, count, most: raised ?? most, hint };
}

type Places = Readonly<Record<Scope, string>>;

/** Returns the number of objects in each scope. */
function counted(all: readonly Objects[], kind: Objects['kind'], per: Scope, places: Places) {
  const counts = new Map<string, number>();
  for (const objects of all) {
    if (objects.kind !== kind) continue;
    const place = objects.place[per] ?? places[per];
    counts.set(place, (counts.get(place) ?? 0) + objects.count);
  }
  return counts;
}

function sum(all: readonly Objects[]): number {
  return all.reduce((total, { count }) => total + count, 0);
}
