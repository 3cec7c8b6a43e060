import type { Value } from '../../protocol';
import { Secret, isObject, reveal } from '../../protocol';
import type { Cluster } from '../client/cluster';
import { kindOf } from '../client/kinds';
import type { JsonObject } from '../json';
import { textAt } from '../json';
import { readinessCheck } from '../readiness';
import type { ReleaseRecord } from './helm';
import { manifestObjects } from './manifest';

const workloads = ['Deployment', 'StatefulSet', 'DaemonSet', 'Job'];

/** Returns why the workloads of a release are not ready: helm itself only reports a timeout. */
export async function describeRelease(
  cluster: Cluster,
  namespace: string,
  record: ReleaseRecord,
): Promise<string[]> {
  const objects = [record.manifest, ...record.hooks]
    .flatMap(manifestObjects)
    .filter((object) => workloads.includes(textAt(object, 'kind') ?? ''));
  const reasons = await Promise.all(objects.map((object) => describeWorkload(cluster, namespace, object)));
  return reasons.flat();
}

async function describeWorkload(cluster: Cluster, namespace: string, object: JsonObject): Promise<string[]> {
  const kind = kindOf(textAt(object, 'apiVersion') ?? '', textAt(object, 'kind') ?? '');
  const name = textAt(object, 'metadata', 'name') ?? '';
  try {
    const served = await cluster.find(kind);
    const check = readinessCheck(kind, undefined);
    if (served === undefined || check === undefined) return [];
    const location = { kind: served, namespace: textAt(object, 'metadata', 'namespace') ?? namespace, name };
    const live = await cluster.get(location);
    if (live === undefined) return [];
    const readiness = await check({ cluster, object: live, signal: undefined });
    if (readiness.ready) return [];
    return (await readiness.reasons()).map((reason) => `${kind.kind} ${name}: ${reason}`);
  } catch {
    // An error of these reads must not hide the failure itself.
    return [];
  }
}

/** Returns the text without secret values, because helm quotes values in some errors. */
export function redact(text: string, inputs: Value): string {
  const secrets = secretTexts(inputs).sort((a, b) => b.length - a.length);
  return secrets.reduce((redacted, secret) => redacted.replaceAll(secret, '[secret]'), text);
}

/** Least length of a value to redact. Redacting shorter values would garble the message. */
const shortestSecret = 4;

function secretTexts(value: Value): string[] {
  if (value instanceof Secret)
    return leafTexts(reveal(value)).filter((text) => text.length >= shortestSecret);
  if (Array.isArray(value)) return value.flatMap(secretTexts);
  return isObject(value) ? Object.values(value).flatMap(secretTexts) : [];
}

function leafTexts(value: Value): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number') return [String(value)];
  if (Array.isArray(value)) return value.flatMap(leafTexts);
  return isObject(value) ? Object.values(value).flatMap(leafTexts) : [];
}
