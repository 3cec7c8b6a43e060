import type { Context, OperationOptions, Properties } from '../../protocol';
import { PartialFailure, markLike } from '../../protocol';
import type { Cluster } from '../client/cluster';
import { fromJson } from '../json';
import { resourceHash } from '../naming';
import { parseId } from '../objects/state';
import { sameValue, valueAt } from '../paths';
import { describeRelease, redact } from './failure';
import { heal } from './heal';
import type { Helm, ReleaseRecord } from './helm';
import { HelmError, chartArguments, findRelease, readChartMetadata, runHelm } from './helm';
import type { ReleaseArguments } from './properties';
import { readRelease } from './properties';
import { previewedState, releaseInputsOf, releaseState } from './state';

/** `helm`'s own default, in seconds. */
const defaultTimeout = 300;
/** Label of helm's records that names the resource and stack that own the release. */
const ownerLabel = 'pulumi-resource';

/** Installs, reads, upgrades and uninstalls helm releases in one cluster. */
export class Releases {
  constructor(
    private readonly helm: Helm,
    private readonly cluster: Cluster,
    private readonly upsert: boolean,
  ) {}

  async create(
    urn: string,
    inputs: Properties,
    options: OperationOptions,
    context: Context,
  ): Promise<{ id: string; state: Properties }> {
    if (options.preview) return { id: '', state: previewedState(inputs) };
    const release = readRelease(inputs);
    const existing = await findRelease(this.helm, release);
    if (existing !== undefined && !(await this.mayTakeOver(urn, release))) {
      throw new Error(
        `release '${idOf(release)}' already exists and was not installed by this resource. Import it (option ` +
          `import: '${idOf(release)}'), name it differently, or set upsertExistingObjects on the provider.`,
      );
    }
    return { id: idOf(release), state: await this.upgrade(urn, inputs, release, existing, options, context) };
  }

  async update(
    urn: string,
    inputs: Properties,
    options: OperationOptions,
    context: Context,
  ): Promise<{ state: Properties }> {
    if (options.preview) return { state: previewedState(inputs) };
    const release = readRelease(inputs);
    const existing = await findRelease(this.helm, release);
    return { state: await this.upgrade(urn, inputs, release, existing, options, context) };
  }

  /**
   * Reads a release. Resolves with undefined if it does not exist (any more). The inputs of an import come from helm's
   * record.
   */
  async read(
    id: string,
    state: Properties,
    oldInputs: Properties,
  ): Promise<{ id: string; state: Properties; inputs: Properties } | undefined> {
    const parsed = parseId(id);
    const release = { name: parsed.name, namespace: parsed.namespace ?? 'default' };
    const record = await findRelease(this.helm, release);
    if (record === undefined) return undefined;
    const chart = await readChartMetadata(this.helm, release);
    const known = releaseInputsOf(state) ?? oldInputs;
    const imported = Object.keys(known).length === 0;
    const base = imported ? { ...release, chart: chart.chart, timeout: defaultTimeout } : known;
    const inputs = { ...base, version: chart.version, ...driftedValues(known, record, imported) };
    return { id, state: releaseState(inputs, release, record, chart), inputs };
  }

  /** Uninstalls a release. A missing release is not an error. */
  async delete(id: string, state: Properties, options: OperationOptions, context: Context): Promise<void> {
    const { name, namespace } = parseId(id);
    const inputs = releaseInputsOf(state) ?? {};
    const timeout = options.timeoutSeconds || Number(valueAt(inputs, 'timeout') ?? defaultTimeout);
    const wait = valueAt(inputs, 'skipAwait') === true ? [] : ['--wait', '--timeout', `${timeout}s`];
    const hooks = valueAt(inputs, 'disableWebhooks') === true ? ['--no-hooks'] : [];
    const args = ['uninstall', name, '--namespace', namespace ?? 'default', '--ignore-not-found'];
    try {
      await runHelm(this.helm, [...args, ...wait, ...hooks], { signal: context.signal });
    } catch (error) {
      if (!(error instanceof HelmError)) throw error;
      throw new Error(`release '${id}' could not be uninstalled: ${error.message}`, { cause: error });
    }
  }

  private async upgrade(
    urn: string,
    inputs: Properties,
    release: ReleaseArguments,
    existing: ReleaseRecord | undefined,
    options: OperationOptions,
    context: Context,
  ): Promise<Properties> {
    const onLine = (line: string): void => void context.log('info', redact(line, inputs), urn, true);
    if (existing !== undefined) await heal(this.helm, release, existing, context, urn);
    const args = upgradeArguments(urn, release, options);
    const { values, valueFiles } = release;
    try {
      await runHelm(this.helm, args, { values, valueFiles, signal: context.signal, onLine });
    } catch (error) {
      if (!(error instanceof HelmError)) throw error;
      throw await this.failure(inputs, release, existing, error, context);
    }
    return this.recorded(inputs, release);
  }

  /**
   * Returns the error of a failed operation. If helm has recorded the release, the engine records it as well, so that the
   * next update upgrades it.
   */
  private async failure(
    inputs: Properties,
    release: ReleaseArguments,
    before: ReleaseRecord | undefined,
    error: HelmError,
    context: Context,
  ): Promise<Error> {
    const id = idOf(release);
    const cancelled = context.signal.aborted ? ' (cancelled)' : '';
    const record = await findRelease(this.helm, release);
    const unchanged = record === undefined || record.revision === before?.revision;
    const details = unchanged ? [] : await describeRelease(this.cluster, release.namespace, record);
    const reasons = [redact(error.message, inputs), ...details].join('\n');
    const text = `release '${id}' failed${cancelled}: ${reasons}`;
    if (unchanged) return new Error(text, { cause: error });
    return new PartialFailure(id, await this.recorded(inputs, release), [text], inputs);
  }

  private async recorded(inputs: Properties, release: ReleaseArguments): Promise<Properties> {
    const record = await findRelease(this.helm, release);
    if (record === undefined)
      throw new Error(`release '${idOf(release)}' disappeared during its installation`);
    return releaseState(inputs, release, record, await readChartMetadata(this.helm, release));
  }

  /** Tells whether this resource created an existing release before it was interrupted. */
  private async mayTakeOver(urn: string, release: ReleaseArguments): Promise<boolean> {
    if (this.upsert || release.takeOwnership === true) return true;
    const args = ['list', '--all', '--namespace', release.namespace, '--short'];
    const owned = await runHelm(this.helm, [...args, '--selector', `${ownerLabel}=${resourceHash(urn)}`]);
    return owned.split('\n').includes(release.name);
  }
}

function upgradeArguments(urn: string, release: ReleaseArguments, options: OperationOptions): string[] {
  const flag = (name: string, set: boolean | undefined): string[] => (set === true ? [name] : []);
  const awaits = release.skipAwait !== true || release.atomic === true;
  return [
    'upgrade',
    release.name,
    ...chartArguments(release),
    '--install',
    '--namespace',
    release.namespace,
    '--labels',
    `${ownerLabel}=${resourceHash(urn)}`,
    '--timeout',
    `${options.timeoutSeconds || (release.timeout ?? defaultTimeout)}s`,
    ...flag('--wait', awaits),
    ...flag('--wait-for-jobs', awaits && release.waitForJobs),
    // Without this flag, helm keeps the last values if the new ones are empty.
    ...flag('--reset-values', release.resetValues === true || release.reuseValues !== true),
    ...flag('--reuse-values', release.resetValues !== true && release.reuseValues),
    ...flag('--atomic', release.atomic),
    ...flag('--cleanup-on-fail', release.cleanupOnFail),
    ...flag('--create-namespace', release.createNamespace),
    ...flag('--dependency-update', release.dependencyUpdate),
    ...flag('--disable-openapi-validation', release.disableOpenapiValidation),
    ...flag('--no-hooks', release.disableWebhooks),
    ...flag('--force', release.forceUpdate),
    ...flag('--render-subchart-notes', release.renderSubchartNotes),
    ...flag('--skip-crds', release.skipCrds),
    ...flag('--take-ownership', release.takeOwnership),
    ...(release.description === undefined ? [] : ['--description', release.description]),
    ...(release.maxHistory === undefined ? [] : ['--history-max', String(release.maxHistory)]),
    ...(release.postrender === undefined ? [] : ['--post-renderer', release.postrender]),
  ];
}

/**
 * Returns the values after somebody else's upgrade. With files or `reuseValues`, helm's record is a mixture, which cannot
 * be compared.
 */
function driftedValues(known: Properties, record: ReleaseRecord, imported: boolean): Properties {
  const mixed = valueAt(known, 'valueYamlFiles') !== undefined || valueAt(known, 'reuseValues') === true;
  const recorded = known['values'];
  if (mixed || sameValue(valueAt(known, 'values') ?? {}, fromJson(record.config) ?? {})) return {};
  // A pending revision has the values of this resource.
  if (!imported && record.status.startsWith('pending-')) return {};
  return { values: markLike(fromJson(record.config) ?? {}, recorded) };
}

function idOf(release: { name: string; namespace: string }): string {
  return `${release.namespace}/${release.name}`;
}
