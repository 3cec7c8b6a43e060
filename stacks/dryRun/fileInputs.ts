import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { fieldsOf, isRecord, textOf } from '../../components/resource/fields';
import type { Unread } from '../access/facts';
import type { Registered } from '../access/registered';
import { isEncrypted } from '../checks/secrecy';
import { isInProject } from '../plan/chartSource';
import { project } from '../settings/problem';
import { readYaml } from '../settings/yamlPlaces';

type Fields = Readonly<Record<string, unknown>>;

/** Returns a stack file's configuration. Keys without a namespace get the project's. */
export function configIn(content: unknown): Fields {
  const { config } = fieldsOf(content);
  return Object.fromEntries(
    Object.entries(fieldsOf(config)).map(([key, value]) => [
      key.includes(':') ? key : `${project}:${key}`,
      value,
    ]),
  );
}

/** Returns digests of a stack file's encrypted kubeconfigs: a changed one may lead to another cluster of the same name. */
export function kubeconfigsIn(config: Fields): Unread[] {
  return Object.entries(fieldsOf(config[`${project}:kubeconfigs`])).map(([cluster, value]) => ({
    resource: `kubeconfig of ${cluster}`,
    path: '',
    silent: 'gone',
    value: `encrypted ${digestOf(value)}`,
  }));
}

/** Returns the places of encrypted values by ciphertext: under another key, another reader gets the secret. */
function encryptedIn(config: Fields): Unread[] {
  const places = new Map<string, string[]>();
  for (const { at, value } of leavesOf(config)) {
    if (!isEncrypted(value)) continue;
    const digest = digestOf(value.secure);
    places.set(digest, [...(places.get(digest) ?? []), at]);
  }
  return [...places].map(([digest, paths]) => ({
    resource: `encrypted value ${digest}`,
    path: '',
    value: paths.join(', '),
    silent: 'both',
  }));
}

/** Returns values that are pipeline variables: their values at the deployment are unknown. */
function variablesIn(config: Fields): Unread[] {
  return [...leavesOf(config)].flatMap(({ at, value }): Unread[] => {
    if (typeof value !== 'string' || !/^\$\(\w+\)$/.test(value)) return [];
    const assignment = `${at}: ${value}`;
    return [{ resource: 'variables', path: assignment, value: assignment, silent: 'gone' }];
  });
}

/** Yields scalars and encrypted values with their paths. */
function* leavesOf(value: unknown, at = ''): Generator<{ readonly at: string; readonly value: unknown }> {
  if (typeof value !== 'object' || value === null || isEncrypted(value)) yield { at, value };
  else
    for (const [key, field] of Object.entries(value))
      yield* leavesOf(field, at === '' ? key : `${at}.${key}`);
}

/** Returns the parts of a stack file that no resource shows. */
export function inputsIn(content: unknown, config: Fields): Unread[] {
  const { config: _, ...top } = fieldsOf(content);
  const providerConfig = Object.fromEntries(
    Object.entries(config).filter(([key]) => !key.startsWith(`${project}:`)),
  );
  return [
    ...textsIn('policies', fieldsOf(config[`${project}:policies`])),
    ...textsIn('Pulumi configuration', providerConfig),
    ...textsIn('stack file', top),
    ...encryptedIn(config),
    ...variablesIn(config),
  ];
}

/** Returns the contents of Pulumi.yaml: defaults of settings, and how the program runs. */
export function projectIn(text: string): Unread[] {
  const { name: _, description: __, config, ...rest } = fieldsOf(readYaml(text).content);
  const settings = Object.entries(fieldsOf(config)).map(([key, value]) => {
    const { description: ___, ...schema } = fieldsOf(value);
    return [`config.${key}`, isRecord(value) ? schema : value];
  });
  return textsIn('Pulumi.yaml', { ...rest, ...(Object.fromEntries(settings) as Fields) });
}

/** Returns digests of the deployed charts that are in the project. */
export function chartsIn(resources: readonly Registered[], folder: string): Unread[] {
  const charts = new Set(resources.map(({ inputs }) => textOf(inputs.chart)).filter(isInProject));
  return [...charts].flatMap((chart): Unread[] => {
    const place = path.resolve(folder, chart);
    return existsSync(place)
      ? [{ resource: `chart ${chart}`, path: '', value: `files ${digestOf(filesIn(place))}`, silent: 'gone' }]
      : [];
  });
}

function filesIn(place: string): string[] {
  if (statSync(place).isFile()) return [readFileSync(place, 'base64')];
  return readdirSync(place, { recursive: true, encoding: 'utf8' })
    .sort()
    .filter((name) => statSync(path.join(place, name)).isFile())
    .map((name) => `${name} ${readFileSync(path.join(place, name), 'base64')}`);
}

const digestOf = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 12);

function textsIn(resource: string, fields: Fields): Unread[] {
  return Object.entries(fields).flatMap(([key, value]) =>
    (Array.isArray(value) ? value : [value]).map((item: unknown, index): Unread => ({
      resource,
      path: Array.isArray(value) ? `${key}[${index}]` : key,
      value: isEncrypted(item) ? `encrypted ${digestOf(item)}` : textOf(item) || JSON.stringify(item),
    })),
  );
}
