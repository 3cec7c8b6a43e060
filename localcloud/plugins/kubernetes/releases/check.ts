import type { CheckFailure, CheckOptions, Properties } from '../../protocol';
import { Archive, containsUnknown, isObject, isUnknown, reveal } from '../../protocol';
import { generatedName } from '../naming';
import { portablePath, readLocalChart } from './chart';
import type { Helm } from './helm';
import { showChart } from './helm';
import {
  checksumKey,
  knownText,
  readRelease,
  releaseInputs,
  repositoryInputs,
  unsupportedInputs,
} from './properties';
import { reason } from '../../../logger';

/** `helm`'s own default, in seconds. */
const defaultTimeout = 300;

/** Returns the inputs to record: with a name, a namespace, and the chart's exact version. */
export async function checkRelease(
  olds: Properties,
  news: Properties,
  options: CheckOptions,
  defaultNamespace: string,
  helm: Helm,
): Promise<{ inputs: Properties; failures: CheckFailure[] }> {
  const failures = [...unknownInputs(news), ...unsupported(news)];
  const { compat: _compat, resourceNames: _names, ...declared } = news;
  const inputs: Properties = { ...declared };
  inputs['name'] ??= olds['name'] ?? generatedName(options);
  inputs['namespace'] ??= defaultNamespace;
  if (inputs['skipAwait'] !== true) inputs['timeout'] ??= defaultTimeout;
  const chart = knownText(inputs, 'chart');
  if (chart === undefined && !isUnknown(reveal(inputs['chart'] ?? null))) {
    failures.push({
      property: 'chart',
      reason: 'chart is missing: give a path, a name with repositoryOpts.repo, or oci://…',
    });
  }
  if (chart === undefined || failures.length > 0) return { inputs, failures };
  try {
    return { inputs: await resolved({ ...inputs, chart: portablePath(chart) }, chart, helm), failures };
  } catch (error) {
    return {
      inputs,
      failures: [{ property: 'chart', reason: `${reason(error)}; check chart, version and repositoryOpts` }],
    };
  }
}

async function resolved(inputs: Properties, chart: string, helm: Helm): Promise<Properties> {
  const repository = inputs['repositoryOpts'];
  const isRemote = chart.startsWith('oci://') || /^https?:\/\//.test(chart) || hasRepository(repository);
  if (!isRemote) {
    const local = await readLocalChart(chart);
    if (local === undefined && (chart.startsWith('.') || chart.startsWith('/') || chart.endsWith('.tgz'))) {
      throw new Error(`there is no chart at '${chart}' (relative to ${process.cwd()})`);
    }
    if (local !== undefined) return { ...inputs, version: local.version, [checksumKey]: local.checksum };
  }
  const version = knownText(inputs, 'version');
  if ((version !== undefined && isExact(version)) || containsUnknown(inputs)) return inputs;
  return { ...inputs, version: (await showChart(helm, readRelease(inputs))).version };
}

function hasRepository(repository: Properties[string] | undefined): boolean {
  const options = reveal(repository ?? null);
  return isUnknown(options) || (isObject(options) && options['repo'] !== undefined);
}

/** Tells whether the string is a version, and not a range such as `^1.2` or `>=1`. */
function isExact(version: string): boolean {
  return /^v?\d+\.\d+\.\d+([-+][0-9A-Za-z.+-]*)?$/.test(version);
}

function unknownInputs(news: Properties): CheckFailure[] {
  const repository = reveal(news['repositoryOpts'] ?? null);
  const nested = isObject(repository) ? Object.keys(repository) : [];
  return [
    ...Object.keys(news)
      .filter((name) => !releaseInputs.includes(name))
      .map((property) => ({ property, reason: `a release has no input '${property}'` })),
    ...nested
      .filter((name) => !repositoryInputs.some((known) => known === name))
      .map((name) => ({
        property: `repositoryOpts.${name}`,
        reason: `repositoryOpts has no member '${name}'; allowed are ${repositoryInputs.join(', ')}`,
      })),
  ];
}

function unsupported(news: Properties): CheckFailure[] {
  const failures: CheckFailure[] = unsupportedInputs
    .filter((name) => news[name] === true)
    .map((property) => ({
      property,
      reason: `${property} has no equivalent in the helm CLI; omit it`,
    }));
  const files = reveal(news['valueYamlFiles'] ?? null);
  if (Array.isArray(files) && files.some((file) => file instanceof Archive)) {
    failures.push({
      property: 'valueYamlFiles',
      reason: 'valueYamlFiles takes files (FileAsset, StringAsset), not archives',
    });
  }
  return failures;
}
