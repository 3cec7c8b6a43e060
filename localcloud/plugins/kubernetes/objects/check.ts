import type { CheckFailure, CheckOptions, Properties } from '../../protocol';
import { isUnknown } from '../../protocol';
import type { Cluster } from '../client/cluster';
import { Unreachable } from '../client/errors';
import type { Kind, ResourceKind } from '../client/kinds';
import { apiVersionOf, describeKind, isKnownNamespaced } from '../client/kinds';
import { generatedName } from '../naming';
import {
  annotation,
  annotationOf,
  isNamed,
  metadataOf,
  metadataText,
  withAnnotation,
  withMetadata,
} from './annotations';
import { normalize } from './normalize';

export interface CheckEnvironment {
  defaultNamespace: string;
  /** Undefined if the cluster is unknown or does not respond. */
  cluster: Cluster | undefined;
}

/** Returns the inputs to record: with apiVersion, kind, name and namespace. */
export async function checkObject(
  kind: ResourceKind,
  olds: Properties,
  news: Properties,
  options: CheckOptions,
  environment: CheckEnvironment,
): Promise<{ inputs: Properties; failures: CheckFailure[] }> {
  const apiVersion = apiVersionOf(kind);
  const failures = [
    ...mismatch('apiVersion', news['apiVersion'], apiVersion, kind),
    ...mismatch('kind', news['kind'], kind.kind, kind),
  ];
  let inputs = normalize(kind, { ...news, apiVersion, kind: kind.kind });
  if (metadataText(inputs, 'generateName') !== undefined) {
    failures.push({
      property: 'metadata.generateName',
      reason:
        'metadata.generateName is not allowed with server-side apply: set metadata.name, or omit both to have a name generated',
    });
  }
  if (!kind.patch) inputs = named(olds, inputs, options);
  else if (!isNamed(inputs)) {
    failures.push({
      property: 'metadata.name',
      reason: `set metadata.name to the name of the ${kind.kind} to patch`,
    });
  }
  if (metadataOf(inputs)?.['namespace'] === undefined && (await isNamespaced(kind, environment))) {
    inputs = withMetadata(inputs, { namespace: environment.defaultNamespace });
  }
  return { inputs, failures };
}

function mismatch(
  property: string,
  value: Properties[string] | undefined,
  expected: string,
  kind: Kind,
): CheckFailure[] {
  if (value === undefined || isUnknown(value) || value === expected) return [];
  const reason = `is ${JSON.stringify(value)}, but the resource's type says ${describeKind(kind)}`;
  return [{ property, reason: `${property} ${reason}` }];
}

/** Returns the inputs with a name. A generated name never changes. */
function named(olds: Properties, inputs: Properties, options: CheckOptions): Properties {
  if (isNamed(inputs)) return inputs;
  const before = metadataText(olds, 'name');
  const generated = annotationOf(olds, annotation.autonamed) === 'true';
  const name = before !== undefined && generated ? before : generatedName(options);
  return withAnnotation(withMetadata(inputs, { name }), annotation.autonamed, 'true');
}

async function isNamespaced(kind: Kind, environment: CheckEnvironment): Promise<boolean> {
  const known = isKnownNamespaced(kind);
  if (known !== undefined) return known;
  try {
    // A kind whose definition the same update creates counts as namespaced; `create` corrects it.
    return (await environment.cluster?.find(kind))?.namespaced ?? true;
  } catch (error) {
    if (error instanceof Unreachable) return true;
    throw error;
  }
}
