import { nearest } from '../../stacks/offline';
import type { DeployedOutputs } from '../stackOutputs';
import { VisibleError } from '../visibleError';
import { knownReaders, type KnownReader } from './readers';

/** By what the answer is narrowed down, as it was given. */
export interface AuditFilter {
  /** `<secret>`, or `<vault>/<secret>`. */
  readonly secret?: string;
  readonly application?: string;
  /** Name in Azure, client id or object id. */
  readonly identity?: string;
  readonly cluster?: string;
}

/** What is asked for. */
export interface Selection {
  /** Names of vaults. */
  readonly vaults: readonly string[];
  readonly secret: string | undefined;
  /** Object ids of who may have asked; undefined: anybody. */
  readonly readers: readonly string[] | undefined;
}

type Outputs = Pick<DeployedOutputs, 'vaults' | 'clusters' | 'workloads' | 'hostedClusters'>;

const guid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;
const same = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

/** What a filter selects in the outputs of a stack; throws one error that says everything that is wrong with it. */
export function select(outputs: Outputs, filter: AuditFilter): Selection {
  const problems: string[] = [];
  const known = (option: string, given: string | undefined, all: readonly string[]): void => {
    const names = [...new Set(all)];
    if (given === undefined || names.some((name) => same(name, given))) return;
    const near = nearest(given, names);
    problems.push(
      `--${option} is "${given}". ${near === undefined ? '' : `Did you mean ${near}? `}Allowed: ${names.join(', ') || 'none, the stack has none'}.`,
    );
  };
  const { application, cluster, identity } = filter;
  const [secret, vault] = (filter.secret?.split('/') ?? []).reverse();
  const vaults = Object.keys(outputs.vaults).filter((name) => vault === undefined || same(name, vault));
  const readers = knownReaders(outputs);
  known('secret', vault, Object.keys(outputs.vaults));
  if (vaults.length > 0) known('secret', secret, secretsIn(outputs, vaults));
  known(
    'application',
    application,
    readers.flatMap(({ applications }) => applications),
  );
  known('cluster', cluster, Object.keys(outputs.clusters));
  const isForeign = identity !== undefined && !readers.some((one) => isIdentity(one, identity));
  if (isForeign && !guid.test(identity)) {
    known(
      'identity',
      identity,
      readers.map((one) => one.identity),
    );
  }
  const matching = readers.filter(
    (one) =>
      (application === undefined || one.applications.some((name) => same(name, application))) &&
      (cluster === undefined || same(one.cluster, cluster)) &&
      (identity === undefined || isIdentity(one, identity)),
  );
  const ids = matching.map(({ objectId }) => objectId);
  // Who is not of the stack is found by object id.
  if (isForeign && application === undefined && cluster === undefined) ids.push(identity);
  const narrowed = [application, cluster, identity].some((one) => one !== undefined);
  if (problems.length === 0 && narrowed && ids.length === 0) {
    problems.push('No identity of the stack is that of the given application, cluster and identity.');
  }
  if (problems.length > 0)
    throw new VisibleError(problems.join('\n'), 'Correct it, or leave the option out.');
  return { vaults, secret, readers: narrowed ? ids : undefined };
}

const isIdentity = ({ identity, clientId, objectId }: KnownReader, given: string): boolean =>
  [identity, clientId, objectId].some((one) => same(one, given));

/** The secrets that the stack knows of: of applications, and the credentials of hosted clusters. */
function secretsIn({ vaults, hostedClusters }: Outputs, names: readonly string[]): string[] {
  const credentials = hostedClusters
    .filter(({ vault }) => vault !== undefined && names.includes(vault))
    .flatMap(({ components }) => components.flatMap(({ secret }) => secret ?? []));
  return [...new Set([...names.flatMap((name) => vaults[name]?.secrets ?? []), ...credentials])].sort();
}
