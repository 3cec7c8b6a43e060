import { identitiesUsedBy, identityBindingAudience } from '../../components/identity/bindingNames';
import { fieldsOf, listOf, textOf } from '../../components/resource/fields';
import type { Subject, Trust } from './facts';
import type { Names, Principal } from './names';
import type { Registered } from './registered';
import { nameIn, textAt } from './registered';

/** AKS identity bindings, and the roles in clusters that let service accounts use identities through them. */
export class Bindings {
  /** Identities with a binding, by cluster. */
  private readonly bound: { readonly cluster: string; readonly identity: Principal }[] = [];
  /** Identities that a ClusterRole lets its subjects use, by cluster and name of the role. */
  private readonly roles = new Map<string, Principal[]>();
  private readonly subjects: { readonly role: string; readonly subject: Subject }[] = [];

  constructor(
    private readonly names: Names,
    private readonly clusterOf: (resource: Registered) => string,
  ) {}

  /** @returns false if the identity of the binding is unknown */
  readBinding({ inputs, sources }: Registered): boolean {
    const identity =
      this.names.ofId(textAt(inputs.properties, 'managedIdentity', 'resourceId')) ??
      this.names.ofSources(sources, 'properties');
    if (identity === undefined) return false;
    const cluster =
      this.names.clusterAt(inputs.resourceGroupName, inputs.resourceName) ||
      (sources?.resourceName ?? []).map(nameIn).join();
    this.bound.push({ cluster, identity });
    return true;
  }

  /** @returns false if a role lets its subjects use identities that are unknown */
  readRole(resource: Registered, kind: string): boolean {
    const { inputs, sources } = resource;
    const key = (name: string) => `${this.clusterOf(resource)}\n${name}`;
    if (kind === 'ClusterRole') {
      // An unknown client id is of the identity that the rules depend on.
      const identities = identitiesUsedBy(inputs.rules).map((client) =>
        textOf(client) === '' ? this.names.ofSources(sources, 'rules') : this.names.ofClient(client),
      );
      const ofUnknownRules =
        inputs.rules === undefined ? [this.names.ofSources(sources, 'rules')].filter(Boolean) : [];
      this.roles.set(
        key(textAt(inputs, 'metadata', 'name')),
        [...identities, ...ofUnknownRules].filter((identity) => identity !== undefined),
      );
      return !identities.includes(undefined);
    }
    const role = key(textAt(inputs, 'roleRef', 'name'));
    for (const subject of listOf(inputs.subjects))
      this.subjects.push({ role, subject: this.subjectOf(resource, subject) });
    return true;
  }

  private subjectOf(resource: Registered, subject: unknown): Subject {
    const cluster = this.clusterOf(resource);
    const { kind, name, namespace } = fieldsOf(subject);
    const isAccount = kind === 'ServiceAccount';
    const text = isAccount
      ? `${textOf(namespace)}/${textOf(name)}`
      : `${textOf(kind).toLowerCase()} ${textOf(name)}`;
    return {
      ...{ key: [cluster, text, identityBindingAudience].join('\n'), text, cluster },
      trusted: `tokens of cluster ${cluster} for ${identityBindingAudience}`,
      ...(!isAccount && { notJudged: 'who that is' }),
    };
  }

  /** Returns who may use which identity. A binding without a role in the stack is open to whoever others give a role. */
  trusts(): Trust[] {
    const known = this.subjects.flatMap(({ role, subject }) =>
      (this.roles.get(role) ?? []).map((identity) => ({ identity, subject })),
    );
    const open = this.bound
      .filter(({ cluster, identity }) =>
        known.every((trust) => trust.identity.key !== identity.key || trust.subject.cluster !== cluster),
      )
      .map(({ cluster, identity }): Trust => {
        const text = `service accounts that others let use ${identity.name}`;
        return {
          identity,
          subject: { ...{ key: `${cluster}\n${text}`, text, cluster }, notJudged: 'who that is' },
        };
      });
    return [...known, ...open];
  }
}
