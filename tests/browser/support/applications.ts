import type { Access, AccessEntry } from '../../../stacks/access/model';

/** The longest name that Kubernetes gives a namespace or an application's object. */
const longName = `orders-${'of-the-warehouse-'.repeat(4)}`.slice(0, 63);

/** Who can read what with so many applications on two clusters. Every third one shares its identity with the next. */
export function applications(count: number): Access {
  const names = Array.from({ length: count }, (_, index) =>
    index === 1 ? longName : `app-${String(index).padStart(3, '0')}`,
  );
  const entries = names.flatMap((name, index): AccessEntry[] => {
    const other = names[index + 1];
    const shares = index % 3 === 0 && other !== undefined;
    const reader = {
      ...{ cluster: index < count / 2 ? 'aks-1' : 'aks-2', reader: name, vault: 'kv-wi-prod' },
      serviceAccounts: [`${name}/${name}`, `${name}/${name}-jobs`],
      identities: [`id-prod-${name}`],
    };
    const granted = { ...reader, because: 'granted', overreach: false };
    return [
      { ...granted, secret: `${name}-db` },
      { ...granted, secret: 'shared-api-key' },
      ...(shares
        ? [
            {
              ...{ ...reader, secret: `${other}-db`, overreach: true },
              because: `identity id-prod-${name} is shared with ${other}, which names it`,
            },
          ]
        : []),
    ];
  });
  const hosted: AccessEntry = {
    ...{
      cluster: 'aks-1',
      reader: 'hosted/cloud-controller',
      vault: 'kv-wi-prod',
      secret: 'hosted-cloud-controller',
    },
    ...{
      serviceAccounts: [],
      identities: [],
      because: 'read by the identity of the nodes',
      overreach: false,
    },
  };
  return { environment: 'prod', entries: [...entries, hosted] };
}
