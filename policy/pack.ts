import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { PolicyPack, type Policies } from '@pulumi/policy';
import { accessOf, clock, projectFiles } from '../stacks/offline';
import { declared, registered, type ShownWithSources } from './declared';
import { rules, stackRules } from './rules';
import { overreach, overreachOf } from './rules/overreach';
import { readStack, type PolicyStack } from './stack';
import { unusedExceptions, verdictOn } from './verdicts';

const root = path.dirname(__dirname);
const now = clock(process.env);
const stacks = new Map<string, PolicyStack>();

/** The stack of a resource: nothing else tells a policy pack which stack it looks at. */
function stackOf(urn: string): PolicyStack {
  const [, , name = ''] = urn.split(':');
  const known = stacks.get(name);
  if (known !== undefined) return known;
  const file = path.resolve(root, process.env.AKS_WI_CONFIG_FILE ?? `Pulumi.${name}.yaml`);
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const stack = readStack({ environment: name, text }, projectFiles(root));
  stacks.set(name, stack);
  return stack;
}

/** In a preview, not all is known; undefined then: an update looks at it once it is. The package does not declare its error. */
function ifKnown<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof Error && error.constructor.name === 'UnknownValueError') return undefined;
    throw error;
  }
}

function knownOnly(props: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.keys(props).map((key) => [key, ifKnown(() => props[key])]));
}

// The level of a policy is fixed when the pack starts, before the stack is known. So each policy is there once for each level.
const policies = (['mandatory', 'advisory'] as const).flatMap((enforcementLevel): Policies => [
  ...rules.map(({ types, check, ...rule }): Policies[number] => ({
    ...{ name: nameAt(rule.name, enforcementLevel), description: rule.description, enforcementLevel },
    validateResource(resource, report) {
      const one = declared(resource);
      if (!types.includes(one.type)) return;
      const { environment, settings } = stackOf(resource.urn);
      for (const what of ifKnown(() => check(one, environment)) ?? []) {
        const { level, message } = verdictOn(rule, one, what, settings, now);
        if (level === enforcementLevel) report(message);
      }
    },
  })),
  ...stackRules.map(({ checkAll, ...rule }): Policies[number] => ({
    ...{ name: nameAt(rule.name, enforcementLevel), description: rule.description, enforcementLevel },
    validateStack({ resources }, report) {
      const urns = new Map(
        resources.map(({ urn, name, props }) => [declared({ urn, name, props: knownOnly(props) }), urn]),
      );
      const { environment, settings } = stackOf(resources[0]?.urn ?? '');
      for (const { resource, what } of checkAll([...urns.keys()], environment)) {
        const { level, message } = verdictOn(rule, resource, what, settings, now);
        if (level === enforcementLevel) report(message, urns.get(resource));
      }
    },
  })),
]);

function nameAt(name: string, level: string): string {
  return level === 'mandatory' ? name : `${name} (advisory)`;
}

for (const enforcementLevel of ['mandatory', 'advisory'] as const)
  policies.push({
    ...{
      name: nameAt(overreach.name, enforcementLevel),
      description: overreach.description,
      enforcementLevel,
    },
    validateStack({ resources }, report) {
      const { settings, workloads } = stackOf(resources[0]?.urn ?? '');
      const access = accessOf(
        {
          resources: resources.map((one) => registered(one as ShownWithSources, ifKnown)),
          outputs: { workloads },
        },
        '',
      );
      const sentences = overreachOf(access);
      for (const resource of resources)
        for (const what of sentences.get(resource.name) ?? []) {
          const one = declared(resource);
          if (one.type !== 'aks-workload-identity:application:Workload') continue;
          const { level, message } = verdictOn(overreach, one, what, settings, now);
          if (level === enforcementLevel) report(message, resource.urn);
        }
    },
  });

policies.push({
  name: 'unused-exception',
  description: 'An exception is for a resource that the stack has.',
  enforcementLevel: 'advisory',
  validateStack({ resources }, report) {
    const { settings } = stackOf(resources[0]?.urn ?? '');
    const names = resources.map(({ name }) => name);
    for (const what of unusedExceptions(settings, names)) report(what);
  },
});

new PolicyPack('aks-workload-identity', { policies });
