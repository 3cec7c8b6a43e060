import type { Properties } from '../../protocol';
import { Secret, isObject, reveal, unknown } from '../../protocol';
import type { ChartMetadata, ReleaseRecord } from './helm';
import { resourceNames } from './manifest';
import { checksumKey } from './properties';

const inputsKey = '__inputs';

/** Returns the recorded state of a release: its inputs, and helm's record. */
export function releaseState(
  inputs: Properties,
  release: { name: string; namespace: string },
  record: ReleaseRecord,
  chart: ChartMetadata,
): Properties {
  return {
    ...outputsOf(inputs),
    resourceNames: resourceNames(record.manifest),
    status: {
      appVersion: chart.appVersion,
      chart: chart.chart,
      name: release.name,
      namespace: release.namespace,
      revision: record.revision,
      status: record.status,
      version: chart.version,
    },
    // The whole is secret, as in the official plugin, because values may contain secrets anywhere.
    [inputsKey]: new Secret(inputs),
  };
}

/** Returns the state of a release in a preview. */
export function previewedState(inputs: Properties): Properties {
  return { ...outputsOf(inputs), resourceNames: unknown, status: unknown };
}

/** Returns the inputs recorded in a state; undefined if it has none. */
export function releaseInputsOf(state: Properties): Properties | undefined {
  const recorded = state[inputsKey];
  const inputs = recorded instanceof Secret ? recorded.value : recorded;
  return isObject(inputs) ? inputs : undefined;
}

/** Returns Helm's status of the release, as recorded. */
export function recordedStatus(state: Properties): string | undefined {
  const status = reveal(state['status'] ?? null);
  const word = isObject(status) ? status['status'] : undefined;
  return typeof word === 'string' ? word : undefined;
}

function outputsOf(inputs: Properties): Properties {
  const { [checksumKey]: _checksum, ...outputs } = inputs;
  return outputs;
}
