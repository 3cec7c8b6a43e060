import type { Access, IdentityAccess, Reader } from '../../../stacks/access/reach';

/** The longest name that Kubernetes gives a namespace or an application's object. */
const longName = `orders-${'of-the-warehouse-'.repeat(4)}`.slice(0, 63);

/** Who can use what with so many applications on two clusters. Every third one shares its identity with the next. */
export function applications(count: number): Access {
  const names = Array.from({ length: count }, (_, index) =>
    index === 1 ? longName : `app-${String(index).padStart(3, '0')}`,
  );
  const clusterOf = (index: number) => (index < count / 2 ? 'aks-1' : 'aks-2');
  const secret = (name: string) => ({
    ...{ key: `/vaults/kv-wi-prod/secrets/${name}`, text: `kv-wi-prod/${name}`, because: 'granted' },
  });
  const readers = names.map((name, index): Reader => ({
    ...{
      cluster: clusterOf(index),
      application: name,
      accounts: [`${name}/${name}`, `${name}/${name}-jobs`],
    },
    named: [`kv-wi-prod/${name}-db`, 'kv-wi-prod/shared-api-key'],
  }));
  const identities = readers.flatMap(({ cluster, application }, index): IdentityAccess[] => {
    const next = readers[index + 1];
    const isSecond = index % 3 === 1;
    const shares = index % 3 === 0 && next !== undefined;
    if (isSecond) return [];
    const sharing = shares ? [application, next.application] : [application];
    return [
      {
        ...{ key: `id-prod-${application}`, name: `id-prod-${application}` },
        subjects: sharing.flatMap((name) =>
          [name, `${name}-jobs`].map((account) => ({
            ...{ key: `${cluster} ${name}/${account}`, text: `${name}/${account}`, cluster },
          })),
        ),
        targets: [...sharing.map((name) => secret(`${name}-db`)), secret('shared-api-key')],
      },
    ];
  });
  const nodes: IdentityAccess = {
    ...{ key: 'nodes', name: 'hosted reader' },
    subjects: [{ key: 'nodes', text: 'principal hosted reader', notJudged: 'who that is' }],
    targets: [secret('hosted-cloud-controller')],
  };
  const counts = { trusts: 2 * count, grants: 2 * count, groups: 0, readers: count };
  return { environment: 'prod', identities: [...identities, nodes], readers, unread: [], counts };
}
