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

/** A stack file's configuration, with the project's name before the keys that have none. */
export function configIn(content: unknown): Fields {
  const { config } = fieldsOf(content);
  return Object.fromEntries(
    Object.entries(fieldsOf(config)).map(([key, value]) => [
      key.includes(':') ? key : `${project}:${key}`,
      value,
    ]),
  );
}

/** Kubeconfigs of a stack file, which are encrypted: another one may lead to another cluster under the same name. */
export function kubeconfigsIn(config: Fields): Unread[] {
  return Object.entries(fieldsOf(config[`${project}:kubeconfigs`])).map(([cluster, value]) => ({
    ...{
      resource: `kubeconfig of ${cluster}`,
      path: '',
      silent: 'gone',
      value: `encrypted ${digestOf(value)}`,
    },
  }));
}

/** Encrypted values by their ciphertexts: one under another key is a secret for another reader. */
function encryptedIn(config: Fields): Unread[] {
  const places = new Map<string, string[]>();
  for (const { at, value } of leavesOf(config)) {
    if (!isEncrypted(value)) continue;
    const digest = digestOf(value.secure);
    places.set(digest, [...(places.get(digest) ?? []), at]);
  }
  return [...places].map(([digest, all]) => ({
    ...{ resource: `encrypted value ${digest}`, path: '', value: all.join(', '), silent: 'both' },
  }));
}

/** Values that are variables: what they are where the stack is deployed is not known. */
function variablesIn(config: Fields): Unread[] {
  return [...leavesOf(config)].flatMap(({ at, value }): Unread[] => {
    if (typeof value !== 'string' || !/^\$\(\w+\)$/.test(value)) return [];
    const one = `${at}: ${value}`;
    return [{ resource: 'variables', path: one, value: one, silent: 'gone' }];
  });
}

/** Texts and encrypted values with their paths. */
function* leavesOf(value: unknown, at = ''): Generator<{ readonly at: string; readonly value: unknown }> {
  if (typeof value !== 'object' || value === null || isEncrypted(value)) yield { at, value };
  else for (const [key, one] of Object.entries(value)) yield* leavesOf(one, at === '' ? key : `${at}.${key}`);
}

/** What a stack file says that no resource shows. */
export function givenIn(content: unknown, config: Fields): Unread[] {
  const { config: _, ...top } = fieldsOf(content);
  const ofProviders = Object.fromEntries(
    Object.entries(config).filter(([key]) => !key.startsWith(`${project}:`)),
  );
  return [
    ...textsIn('policies', fieldsOf(config[`${project}:policies`])),
    ...textsIn('Pulumi configuration', ofProviders),
    ...textsIn('stack file', top),
    ...encryptedIn(config),
    ...variablesIn(config),
  ];
}

/** What the project's own file says: defaults of settings, and how the program is run. */
export function projectIn(text: string): Unread[] {
  const { name: _, description: __, config, ...rest } = fieldsOf(readYaml(text).content);
  const settings = Object.entries(fieldsOf(config)).map(([key, value]) => {
    const { description: ___, ...says } = fieldsOf(value);
    return [`config.${key}`, isRecord(value) ? says : value];
  });
  return textsIn('Pulumi.yaml', { ...rest, ...(Object.fromEntries(settings) as Fields) });
}

/** Digests of the charts of the project that are deployed. */
export function chartsIn(resources: readonly Registered[], folder: string): Unread[] {
  const charts = new Set(resources.map(({ inputs }) => textOf(inputs.chart)).filter(isInProject));
  return [...charts].flatMap((one): Unread[] => {
    const place = path.resolve(folder, one);
    return existsSync(place)
      ? [{ resource: `chart ${one}`, path: '', value: `files ${digestOf(filesIn(place))}`, silent: 'gone' }]
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
    (Array.isArray(value) ? value : [value]).map((one: unknown, index): Unread => ({
      ...{ resource, path: Array.isArray(value) ? `${key}[${index}]` : key },
      value: isEncrypted(one) ? `encrypted ${digestOf(one)}` : textOf(one) || JSON.stringify(one),
    })),
  );
}
