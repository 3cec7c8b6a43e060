import Ajv from 'ajv';
import fc from 'fast-check';
import { stringify } from 'yaml';
import { isValidName } from '../../../components/azure/naming';
import { customResourcesOf, dependencyKinds } from '../../../components/dependency/service';
import { credentialName } from '../../../components/identity/subjects';
import type { Validation } from '../../../stacks/configuration';
import { validate } from '../../../stacks/configuration';
import { parseSettings } from '../../../stacks/settings/parse';
import { encryptedOnly, formatProblem, project } from '../../../stacks/settings/problem';
import { stackFileSchema } from '../../../stacks/settings/editorSchema';
import { checkStackFile, formatPlaced } from '../../../stacks/stackFile';
import type { ClusterPlan, EnvironmentPlan } from '../../../stacks/plan';
import { everyIdentity, planEnvironment } from '../../../stacks/plan';
import { secretsByGrantee } from '../../../stacks/plan/summary';
import { application, mutated, nearlyValid, settle, settled, shapeless } from './arbitraries';

// What these do not prove: that a plan is what was meant; the other tests give examples of that. The seed is fixed, so
// that a failure is there the next time as well; another, or more runs: AKS_WI_PROPERTY_SEED, AKS_WI_PROPERTY_RUNS.
fc.configureGlobal({
  seed: Number(process.env.AKS_WI_PROPERTY_SEED ?? 1),
  numRuns: Number(process.env.AKS_WI_PROPERTY_RUNS ?? 100),
});

const any = fc.oneof(nearlyValid, mutated, shapeless);

/** With one seed, several properties are of the same configurations. */
const validated = new Map<string, Validation>();

/** The plan of a configuration that is valid; others are passed over. */
function planOf(input: Record<string, unknown>): EnvironmentPlan {
  const text = JSON.stringify(input);
  const validation = validated.get(text) ?? validate('test', input);
  validated.set(text, validation);
  fc.pre(validation.ok);
  return validation.configuration.plan;
}

describe('every configuration', () => {
  it('gives a plan, or problems that each say where, what, and what to do about it, on one line', () => {
    fc.assert(
      fc.property(any, (input) => {
        const validation = validate('test', input);
        if (validation.ok) return;
        expect(validation.problems).not.toEqual([]);
        const unclear = validation.problems.filter((problem) => {
          const text = formatProblem(problem);
          const says = /^aks-workload-identity:.*: \S.*[.?]$/.test(text);
          const todo = /\S/.test(problem.hint ?? problem.allowed ?? '');
          return problem.path.length === 0 || !todo || !says || /undefined|\[object|\n/.test(text);
        });
        expect(unclear).toEqual([]);
      }),
    );
  });

  it('in a stack file gives a plan, or problems that each have their line', () => {
    fc.assert(
      fc.property(any, (input) => {
        const config = Object.entries(input).map(([key, value]) => [`${project}:${key}`, value]);
        const text = stringify({ config: Object.fromEntries(config) as unknown });
        const lines = text.split('\n').length;
        const { configuration, problems } = checkStackFile(
          { environment: 'test', file: 'Pulumi.test.yaml', text },
          () => undefined,
        );
        expect(configuration === undefined).toBe(problems.length > 0);
        const misplaced = problems.filter((problem) => {
          const { file, line } = problem;
          return (
            file === 'Pulumi.test.yaml' &&
            !(line > 0 && line <= lines && !formatPlaced(problem).includes('\n'))
          );
        });
        expect(misplaced).toEqual([]);
      }),
    );
  });

  it('shows no value that is a secret', () => {
    const secret = 'hunter2-and-more';
    fc.assert(
      fc.property(mutated, fc.constantFrom(...encryptedOnly), fc.string(), (input, key, name) => {
        const validation = validate('test', { ...input, [key]: { [name]: secret, other: [secret] } });
        const reported = validation.ok ? [] : validation.problems.map(formatProblem);
        expect(reported.join('\n')).not.toContain(secret);
      }),
    );
  });
});

describe('editors', () => {
  const validateFile = new Ajv({ strict: false }).compile(stackFileSchema());

  it('refuse exactly what is wrong in single values', () => {
    fc.assert(
      fc.property(any, (input) => {
        // Of secrets the file has other values than the program.
        const open = Object.entries(input).filter(([key]) => !encryptedOnly.includes(key));
        const config = Object.fromEntries(open.map(([key, value]) => [`${project}:${key}`, value]));
        const { problems } = parseSettings(Object.fromEntries(open));

        expect({ input, valid: validateFile({ config }) }).toEqual({ input, valid: problems.length === 0 });
      }),
    );
  });
});

describe('a plan', () => {
  /** It is asked ten thousand times, and `expect` takes its time. */
  const distinct = (values: readonly string[]): void => {
    if (new Set(values).size !== values.length) expect([...new Set(values)]).toEqual(values);
  };

  it('has unique names, valid in Azure', () => {
    fc.assert(
      fc.property(settled, (input) => {
        const { clusters, vaults } = planOf(input);
        const identities = clusters.flatMap(everyIdentity);

        distinct(identities.map(({ key }) => key));
        distinct(identities.map(({ azureName }) => azureName.toLowerCase()));
        distinct(clusters.flatMap(({ workloads }) => workloads.map(({ key }) => key)));
        for (const { workloads } of clusters)
          distinct(workloads.map(({ namespace, serviceAccount }) => `${namespace}/${serviceAccount}`));
        distinct(vaults.map(({ name }) => name.toLowerCase()));
        expect(identities.filter(({ azureName }) => !isValidName('userAssignedIdentity', azureName))).toEqual(
          [],
        );
        expect(vaults.filter(({ name }) => !isValidName('keyVault', name))).toEqual([]);
      }),
    );
  });

  it('has identities that trust at most 20 service accounts, each once, under names of their own', () => {
    fc.assert(
      fc.property(settled, (input) => {
        for (const { subjects } of planOf(input).clusters.flatMap(({ identities }) => identities)) {
          expect(subjects.length).toBeLessThanOrEqual(20);
          distinct(subjects.map((subject) => `${subject.namespace}/${subject.serviceAccount}`));
          distinct(subjects.map(credentialName));
        }
      }),
    );
  });

  it('grants secrets that are in the vault, and those of each application to the identity that it runs as', () => {
    fc.assert(
      fc.property(settled, (input) => {
        const { clusters, vaults } = planOf(input);
        for (const { secrets, grants } of vaults) {
          distinct(grants.map(({ grantee }) => grantee));
          for (const grant of grants) {
            distinct(grant.secrets);
            expect(secrets).toEqual(expect.arrayContaining([...grant.secrets]));
          }
        }
        for (const { identities, workloads, namespaces } of clusters) {
          for (const workload of workloads) {
            const identity = identities.find(({ key }) => key === workload.identity);
            const { grants } = vaults.find(({ name }) => name === workload.vault) ?? { grants: [] };
            const granted = grants.find(({ grantee }) => grantee === workload.identity)?.secrets ?? [];
            const { namespace, serviceAccount, audience } = workload;
            expect(identity?.applications).toContain(workload.application.name);
            expect(identity?.subjects).toContainEqual({ namespace, serviceAccount, audience });
            expect(granted).toEqual(expect.arrayContaining([...workload.secrets]));
            expect(workload.secrets).toEqual(expect.arrayContaining(workload.application.secrets));
            expect(namespaces.map(({ name }) => name)).toContain(namespace);
          }
        }
      }),
    );
  });

  it('grants an identity nothing that none of its applications names', () => {
    fc.assert(
      fc.property(settled, (input) => {
        const plan = planOf(input);
        const granted = secretsByGrantee(plan);
        for (const { identities, workloads } of plan.clusters) {
          for (const { key } of identities) {
            // A dependency may bring one, by its name.
            const named = workloads
              .filter(({ identity }) => identity === key)
              .flatMap(({ vault, application: { name, secrets, dependencies } }) => [
                ...secrets.map((secret) => `${vault}/${secret}`),
                ...dependencies.map((dependency) => `${vault}/${name}-${dependency.name}`),
              ]);
            expect(named).toEqual(expect.arrayContaining(granted.get(key) ?? []));
          }
        }
      }),
    );
  });
});

describe('the plan of what applications depend on', () => {
  it('has each service provisioned by one cluster, whose operator has the right and the kind', () => {
    let seen = 0;
    fc.assert(
      fc.property(settled, (input) => {
        const { clusters, servicesGroups } = planOf(input);
        const groups = servicesGroups.map(({ name }) => name);
        for (const { settings, workloads, provisioning, provisioners, crdPatterns } of clusters) {
          const here = [...(provisioning === undefined ? [] : [provisioning]), ...provisioners];
          for (const { managedBy, manages, group, service } of workloads.flatMap(
            ({ dependencies }) => dependencies,
          )) {
            seen += 1;
            expect(manages).toBe(managedBy === settings.name);
            expect(clusters.map((cluster) => cluster.settings.name)).toContain(managedBy);
            expect(groups).toContain(group);
            expect(here.find((plan) => plan.group === group)?.roles.map(({ role }) => role)).toContain(
              dependencyKinds[service.kind].provisionerRole,
            );
            expect(crdPatterns).toEqual(expect.arrayContaining([...customResourcesOf(service)]));
          }
        }
      }),
    );
    // Not for lack of any.
    expect(seen).toBeGreaterThan(10);
  });
});

describe('one application more', () => {
  /** What a cluster has beside the application: its own things, and the identity that it shares with others. */
  const beside = (
    { identities, workloads, operator, ...rest }: ClusterPlan,
    shared: string,
    name: string,
  ) => ({
    operator,
    settings: rest.settings,
    identities: identities.filter(({ key, applications }) => key !== shared && !applications.includes(name)),
    // A neighbour may have to consent to the namespace that it has with the application.
    workloads: workloads
      .filter((workload) => workload.application.name !== name)
      .map((workload) => ({
        ...workload,
        application: { ...workload.application, sharedNamespace: undefined },
      })),
  });

  it('changes nothing for the others, except that a shared identity shares its access', () => {
    const name = 'one-more';
    fc.assert(
      fc.property(settled, application(name), (input, added) => {
        const before = planOf(input);
        const present = input.applications ?? [];
        const after = planOf(settle({ ...input, applications: [...(present as unknown[]), added] }));

        for (const [index, cluster] of before.clusters.entries()) {
          const then = after.clusters[index];
          if (then === undefined) throw new Error('a cluster is gone');
          const workload = then.workloads.find((candidate) => candidate.application.name === name);
          const shared = workload?.identity ?? 'none';
          expect(beside(then, shared, name)).toEqual(beside(cluster, shared, name));
          // The applications that share an identity stay there, in their order: their trust is untouched.
          const identity = then.identities.find(({ key }) => key === shared);
          const old = cluster.identities.find(({ key }) => key === shared);
          expect(identity?.subjects.slice(0, old?.subjects.length ?? 0) ?? []).toEqual(old?.subjects ?? []);
          // The namespace of the added application may now have to stay.
          const others = cluster.namespaces.filter((namespace) => namespace.name !== workload?.namespace);
          expect(then.namespaces).toEqual(expect.arrayContaining(others));
        }
        const vaults = after.vaults.filter((vault) => vault.application !== name);
        expect(vaults.map((vault) => vault.name)).toEqual(
          expect.arrayContaining(before.vaults.map((vault) => vault.name)),
        );
      }),
    );
  });

  it('moves no other to another shard', () => {
    fc.assert(
      fc.property(settled, application('one-more'), (input, added) => {
        const { settings } = parseSettings({ ...input, shard: true, identity: 'cluster' });
        const more = parseSettings({
          ...input,
          shard: true,
          identity: 'cluster',
          applications: [added, ...((input.applications ?? []) as unknown[])],
        }).settings;
        if (settings === undefined || more === undefined) throw new Error('not right in itself');
        const identities = (plan: EnvironmentPlan) =>
          new Map(
            plan.clusters.flatMap(({ workloads }) =>
              workloads.map(({ key, identity }): [string, string] => [key, identity]),
            ),
          );

        const after = identities(planEnvironment('test', more));
        for (const [key, identity] of identities(planEnvironment('test', settings))) {
          expect(after.get(key)).toBe(identity);
        }
      }),
    );
  });
});
