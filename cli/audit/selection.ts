import { nearest } from '../../stacks/settings/nearest';
import type { DeployedOutputs } from '../stackOutputs';
import { UserError } from '../userError';
import { knownReaders, type KnownReader } from './readers';

/** The options that filter the report. */
export interface AuditFilter {
  /** `<secret>`, or `<vault>/<secret>`. */
  readonly secret?: string;
  readonly application?: string;
  /** Name in Azure, client id or object id. */
  readonly identity?: string;
  readonly cluster?: string;
}

/** The selected vaults, secret and readers. */
export interface Selection {
  /** Names of vaults. */
  readonly vaults: readonly string[];
  readonly secret: string | undefined;
  /** Object ids of the callers. Default: anybody. */
  readonly readers: readonly string[] | undefined;
}

type Outputs = Pick<DeployedOutputs, 'vaults' | 'clusters'> & Parameters<typeof knownReaders>[0];

const guid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;
const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/** Applies a filter to the outputs of a stack. @throws UserError with all problems of the filter */
export function select(outputs: Outputs, filter: AuditFilter): Selection {
  const problems: string[] = [];
  const check = (option: string, value: string | undefined, allowed: readonly string[]): void => {
    const names = [...new Set(allowed)];
    if (value === undefined || names.some((name) => same(name, value))) return;
    const near = nearest(value, names);
    problems.push(
      `--${option} is "${value}". ${near === undefined ? '' : `Did you mean ${near}? `}Allowed: ${names.join(', ') || 'none, the stack has none'}.`,
    );
  };
  const { application, cluster, identity } = filter;
  const [secret, vault] = (filter.secret?.split('/') ?? []).reverse();
  const vaults = Object.keys(outputs.vaults).filter((name) => vault === undefined || same(name, vault));
  const readers = knownReaders(outputs);
  check('secret', vault, Object.keys(outputs.vaults));
  if (vaults.length > 0) check('secret', secret, secretsIn(outputs, vaults, readers));
  check(
    'application',
    application,
    readers.flatMap(({ applications }) => applications),
  );
  check('cluster', cluster, Object.keys(outputs.clusters));
  const isForeign = identity !== undefined && !readers.some((reader) => isIdentity(reader, identity));
  if (isForeign && !guid.test(identity)) {
    check(
      'identity',
      identity,
      readers.map((reader) => reader.identity),
    );
  }
  const matching = readers.filter(
    (reader) =>
      (application === undefined || reader.applications.some((name) => same(name, application))) &&
      (cluster === undefined || reader.cluster.split(', ').some((name) => same(name, cluster))) &&
      (identity === undefined || isIdentity(reader, identity)),
  );
  const ids = matching.map(({ objectId }) => objectId);
  // An identity outside the stack is selected by its object id.
  if (isForeign && application === undefined && cluster === undefined) ids.push(identity);
  const selectsReaders = [application, cluster, identity].some((option) => option !== undefined);
  if (problems.length === 0 && selectsReaders && ids.length === 0) {
    problems.push('No identity of the stack matches --application, --cluster and --identity together.');
  }
  if (problems.length > 0) throw new UserError(problems.join('\n'), 'Correct the option, or remove it.');
  return { vaults, secret, readers: selectsReaders ? ids : undefined };
}

const isIdentity = ({ identity, clientId, objectId }: KnownReader, nameOrId: string): boolean =>
  [identity, clientId, objectId].some((value) => same(value, nameOrId));

/** Returns the secrets of vaults: those of applications, and those that the readers have. */
function secretsIn({ vaults }: Outputs, names: readonly string[], readers: readonly KnownReader[]): string[] {
  const read = readers
    .flatMap(({ grants }) => grants.map((grant) => grant.split('/')))
    .flatMap(([vault = '', secret = '']) => (names.includes(vault) ? secret : []));
  return [...new Set([...names.flatMap((name) => vaults[name]?.secrets ?? []), ...read])].sort();
}
