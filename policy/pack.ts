import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { PolicyPack, type Policies } from '@pulumi/policy';
import { accessOf } from '../stacks/access/reach';
import { clock } from '../stacks/settings/clock';
import { ownVariables } from '../stacks/settings/ownVariables';
import { projectFiles } from '../stacks/settings/projectFiles';
import { declared, knownIn, registered, type ShownWithSources } from './declared';
import { rules, stackRules } from './rules';
import { isAbout } from './rules/rule';
import { bootstrapProject, readStack, type PolicyStack } from './stack';
import { mayHave, unusedExceptions, verdictOn } from './verdicts';

const root = projectAbove(__dirname);
const now = clock(process.env);
const stacks = new Map<string, PolicyStack>();

/** Returns the nearest folder with a Pulumi.yaml, from that of the policy pack upwards: the pack may be an installed package. */
function projectAbove(folder: string): string {
  const parent = path.dirname(folder);
  return parent === folder || existsSync(path.join(parent, 'Pulumi.yaml')) ? parent : projectAbove(parent);
}

/** Returns the stack of a resource. A policy pack learns only from URNs which stack it checks. */
function stackOf(urn: string): PolicyStack {
  const [start = '', project = ''] = urn.split('::');
  const name = start.split(':').at(-1) ?? '';
  const known = stacks.get(name);
  if (known !== undefined) return known;
  const folder = project === bootstrapProject ? path.join(root, 'bootstrap') : root;
  const file = path.resolve(folder, process.env[ownVariables.configFile] ?? `Pulumi.${name}.yaml`);
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const policies = process.env[ownVariables.policies];
  const files = projectFiles(root, path.dirname(file));
  const stack = readStack({ environment: name, project, text, policies }, files);
  stacks.set(name, stack);
  return stack;
}

/** Returns undefined for a value that is unknown in a preview; the update checks it. The package does not export its error type. */
function ifKnown<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof Error && error.constructor.name === 'UnknownValueError') return undefined;
    throw error;
  }
}

// The level of a policy is fixed when the pack starts, before the stack is known. Therefore, each policy exists once per
// level.
const policies = (['mandatory', 'advisory'] as const).flatMap((enforcementLevel): Policies => [
  ...rules.map((rule): Policies[number] => ({
    ...{ name: nameAt(rule.name, enforcementLevel), description: rule.description, enforcementLevel },
    validateResource(resource, report) {
      const declaredResource = declared(resource);
      if (!isAbout(rule, declaredResource)) return;
      const stack = stackOf(resource.urn);
      for (const problem of ifKnown(() => rule.check(declaredResource, stack.environment)) ?? []) {
        const { level, message } = verdictOn(rule, declaredResource, problem, stack, now);
        if (level === enforcementLevel) report(message);
      }
    },
  })),
  ...stackRules.map(({ checkAll, ...rule }): Policies[number] => ({
    ...{ name: nameAt(rule.name, enforcementLevel), description: rule.description, enforcementLevel },
    validateStack({ resources }, report) {
      const stack = stackOf(resources[0]?.urn ?? '');
      if (!mayHave(enforcementLevel, rule, stack)) return;
      const urns = new Map(
        resources.map((resource) => [
          declared({ ...resource, props: knownIn(resource.props, ifKnown) }),
          resource.urn,
        ]),
      );
      const access = () =>
        accessOf(
          {
            resources: resources.map((resource) => registered(resource as ShownWithSources, ifKnown)),
            outputs: { workloads: stack.workloads },
          },
          '',
        );
      for (const { resource, problem } of checkAll([...urns.keys()], stack.environment, access)) {
        const { level, message } = verdictOn(rule, resource, problem, stack, now);
        if (level === enforcementLevel) report(message, urns.get(resource));
      }
    },
  })),
]);

function nameAt(name: string, level: string): string {
  return level === 'mandatory' ? name : `${name} (advisory)`;
}

policies.push({
  name: 'unused-exception',
  description: 'An exception names a resource of the stack.',
  enforcementLevel: 'advisory',
  validateStack({ resources }, report) {
    const names = resources.map(({ name }) => name);
    for (const problem of unusedExceptions(stackOf(resources[0]?.urn ?? ''), names)) report(problem);
  },
});

new PolicyPack('aks-workload-identity', { policies });
