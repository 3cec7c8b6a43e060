import * as pulumi from '@pulumi/pulumi';
import { accessDifference } from '../../../stacks/access/difference';
import type { Access, AccessSource } from '../../../stacks/access/model';
import { accessOf } from '../../../stacks/access/model';
import { plannedAccess } from '../../../stacks/access/planned';
import type { StackOutputs } from '../../../stacks/outputs/outputs';
import type { Configuration } from '../../../stacks/plan';
import { grantedName, secretsIn } from '../../../stacks/plan';
import { record } from '../components/support/recorder';
import { deployed } from './deployed';
import type { Input } from './settings';
import { application, configurationOf, input, validInput } from './settings';

const settled = (changes: Input): Access => accessOf(plannedAccess(configurationOf(validInput(changes))));
const one = (...applications: unknown[]): Input => input(applications);
const lines = (access: Access): string[] =>
  access.entries.map(
    (entry) =>
      `${entry.cluster}/${entry.reader} ${grantedName(entry)}: ${entry.because}${entry.overreach ? ' (overreach)' : ''}`,
  );

async function outputsOf(configuration: Configuration): Promise<AccessSource> {
  const { result } = await record(() => deployed(configuration));
  const all = pulumi.output(result) as unknown as pulumi.Output<StackOutputs>;
  return new Promise((resolve) => all.apply(resolve));
}

describe('who can read what', () => {
  it('is every secret that is granted, by service accounts, identity and vault', () => {
    const { entries } = settled(
      one(application('orders', { secrets: ['orders-db'], serviceAccounts: ['batch'] })),
    );
    expect(entries).toEqual([
      {
        ...{ cluster: 'aks-1', reader: 'orders', vault: 'kv-test', secret: 'orders-db' },
        ...{ serviceAccounts: ['orders/orders', 'orders/batch'], identities: ['id-test-aks-1'] },
        ...{ because: 'granted', overreach: false },
      },
    ]);
  });

  it('is whoever has what is stored, where the application signs in by that, before and after it is deployed', async () => {
    const identity = { servicePrincipal: { credential: 'certificate' } };
    const configuration = configurationOf(
      validInput(one(application('orders', { secrets: ['orders-db'], identity }))),
    );
    const planned = accessOf(plannedAccess(configuration));
    expect(planned.entries).toMatchObject([
      {
        serviceAccounts: ['stored credential of orders/orders'],
        ...{ identities: ['id-test-aks-1-orders'], secret: 'orders-db' },
      },
    ]);
    expect(accessOf(await outputsOf(configuration))).toEqual(planned);
    const federated = settled(
      one(application('orders', { secrets: ['orders-db'], identity: 'servicePrincipal' })),
    );
    expect(accessDifference(federated, planned).widened).toMatchObject([
      { more: ['stored credential of orders/orders'] },
    ]);
  });

  it.each([
    ['podIdentity', ['pods of orders labelled aadpodidbinding: orders']],
    ['both', ['orders/orders', 'pods of orders labelled aadpodidbinding: orders']],
  ])('is every pod with the label, where it signs in by %s', async (signIn, serviceAccounts) => {
    const configuration = configurationOf(
      validInput({
        ...one(application('orders', { secrets: ['orders-db'], signIn, delivery: 'application' })),
        clusters: [{ name: 'aks-1', podIdentity: { unsupportedKubernetes: true } }],
      }),
    );
    const planned = accessOf(plannedAccess(configuration));

    expect(planned.entries).toMatchObject([{ serviceAccounts }]);
    expect(accessOf(await outputsOf(configuration))).toEqual(planned);
  });

  it('is overreach where applications share an identity, and not where each has its own', () => {
    const both = (identity: string) =>
      one(application('a', { secrets: ['s-a'], identity }), application('b', { secrets: ['s-b'], identity }));
    expect(lines(settled(both('cluster')))).toEqual([
      'aks-1/a kv-test/s-a: granted',
      'aks-1/a kv-test/s-b: identity id-test-aks-1 is shared with b, which names it (overreach)',
      'aks-1/b kv-test/s-a: identity id-test-aks-1 is shared with a, which names it (overreach)',
      'aks-1/b kv-test/s-b: granted',
    ]);
    expect(lines(settled(both('application')))).toEqual([
      'aks-1/a kv-test/s-a: granted',
      'aks-1/b kv-test/s-b: granted',
    ]);
  });

  it('is said with its times, and widened by other times', () => {
    const withWindows = (...accessWindows: unknown[]) =>
      settled(one(application('a', { identity: 'application', accessWindows })));
    const night = { secrets: ['s'], from: '00:00', to: '01:00', timeZone: 'Europe/Berlin' };
    const before = withWindows({ ...night, days: ['Monday'] }, { secrets: ['s'], onDemand: '4h' });
    expect(lines(before)).toEqual([
      'aks-1/a kv-test/s: granted on Monday 00:00 to 01:00 Europe/Berlin; on demand for up to 4h',
    ]);
    const always = settled(one(application('a', { identity: 'application', secrets: ['s'] })));
    const kinds = ({ widened, narrowed }: ReturnType<typeof accessDifference>) => [
      widened.length,
      narrowed.length,
    ];
    expect(kinds(accessDifference(before, before))).toEqual([0, 0]);
    expect(kinds(accessDifference(before, withWindows(night)))).toEqual([1, 0]);
    expect(kinds(accessDifference(before, always))).toEqual([1, 0]);
    expect(kinds(accessDifference(always, before))).toEqual([0, 1]);
  });

  it('is overreach where an access policy covers a vault that others read', () => {
    const access = settled({
      ...one(
        application('a', { secrets: ['s-a'], identity: 'application' }),
        application('b', { secrets: ['s-b'], identity: 'application' }),
      ),
      vault: { name: 'kv-test', access: 'accessPolicy', overreach: 'accepted' },
    });
    expect(lines(access)).toContain(
      'aks-1/a kv-test/s-b: an access policy opens every secret of vault kv-test to identity id-test-aks-1-a (overreach)',
    );
  });

  it('has what groups give, all generations of an identity, and nothing of what is revoked', () => {
    const applications = [
      application('a', { identity: 'application', groups: ['auditors'], identityGenerations: [1, 2] }),
      application('b', { secrets: ['s-b'], identity: 'application' }),
    ];
    const access = settled({
      ...one(...applications),
      groups: [{ name: 'auditors', secrets: ['log-key'] }],
      revoked: { applications: { b: 'INC-1' } },
    });
    expect(lines(access)).toEqual(['aks-1/a kv-test/log-key: member of group auditors']);
    expect(access.entries[0]?.identities).toEqual(['id-test-aks-1-a', 'id-test-aks-1-a-g2']);
  });

  it('is the same by the settings as by what they deploy', async () => {
    const configuration = configurationOf(
      validInput({
        applications: [
          application('orders', { secrets: ['orders-db'], serviceAccounts: ['batch'] }),
          application('auditor', { identity: 'application', groups: ['auditors'] }),
          application('invoices', { secrets: ['invoices-db'], clusters: ['aks-1'] }),
          application('billing', {
            ...{ identity: 'application', secrets: ['billing-db'], identityGenerations: [2, 1] },
            vault: { access: 'accessPolicy', placement: 'perApplication' },
          }),
          application('reports', { identity: 'servicePrincipal', secrets: ['orders-db'] }),
          application('gone', { identity: 'application', secrets: ['orders-db'] }),
        ],
        groups: [{ name: 'auditors', secrets: ['log-key'] }],
        revoked: { applications: { gone: 'INC-1' } },
        secretValues: {},
      }),
    );
    const planned = accessOf(plannedAccess(configuration));
    expect(new Set(planned.entries.map(({ because }) => because.split(' ')[0]))).toEqual(
      new Set(['granted', 'member', 'identity']),
    );
    expect(accessOf(await outputsOf(configuration))).toEqual(planned);
  });
});

describe('who has which role', () => {
  const scope =
    '/subscriptions/22222222-2222-4222-8222-222222222222/resourceGroups/rg/providers/Microsoft.Storage/storageAccounts/st';
  const roles = [{ role: 'Storage Blob Data Reader', scope }];
  const windowed = { roles, days: ['Monday'], timeZone: 'UTC' };
  const named = `Storage Blob Data Reader on ${scope}`;

  it('is whoever names it, and whoever shares the identity', () => {
    const shared = settled(one(application('a', { roles }), application('b')));
    expect(lines(shared).filter((line) => line.startsWith('aks-1/'))).toEqual([
      `aks-1/a ${named}: granted`,
      `aks-1/b ${named}: identity id-test-aks-1 is shared with a, which names it (overreach)`,
    ]);
    const own = settled(one(application('a', { roles, identity: 'application' }), application('b')));
    expect(lines(own).filter((line) => line.startsWith('aks-1/'))).toEqual([`aks-1/a ${named}: granted`]);
  });

  it('is had at times, as a member of a group, and not once it is revoked', () => {
    const a = { identity: 'application' };
    expect(lines(settled(one(application('a', { ...a, accessWindows: [windowed] }))))[0]).toBe(
      `aks-1/a ${named}: granted on Monday UTC`,
    );
    const groups = [{ name: 'g', roles }];
    expect(lines(settled({ ...one(application('a', { ...a, groups: ['g'] })), groups }))[0]).toBe(
      `aks-1/a ${named}: member of group g`,
    );
    const revoked = { ...one(application('a', { ...a, roles })), revoked: { applications: { a: 'x' } } };
    expect(lines(settled(revoked))).toEqual([]);
  });

  it('is the same by what is deployed, and differs in what is gained and lost', async () => {
    const configuration = configurationOf(
      validInput(one(application('a', { roles, identity: 'application' }))),
    );
    const deployedAccess = accessOf(await outputsOf(configuration));
    expect(lines(deployedAccess)).toContain(`aks-1/a ${named}: granted`);
    const without = settled(one(application('a', { identity: 'application' })));
    expect(accessDifference(without, deployedAccess).gained.map(grantedName)).toContain(named);
    expect(accessDifference(deployedAccess, without).lost.map(grantedName)).toContain(named);
  });
});

describe('the difference in who can read what', () => {
  const alone = one(application('a', { secrets: ['s'], identity: 'application' }));

  it('is nothing between the same', () => {
    const { gained, lost, widened, narrowed } = accessDifference(settled(alone), settled(alone));
    expect([gained, lost, widened, narrowed]).toEqual([[], [], [], []]);
  });

  it('is what is gained and what is lost', () => {
    const other = settled(one(application('a', { secrets: ['t'], identity: 'application' })));
    const { gained, lost, widened, narrowed } = accessDifference(settled(alone), other);
    expect(secretsIn(gained).map(({ secret }) => secret)).toEqual(['t']);
    expect(secretsIn(lost).map(({ secret }) => secret)).toEqual(['s']);
    expect([widened, narrowed]).toEqual([[], []]);
  });

  it('is wider with a further service account, and narrower without it', () => {
    const more = settled(
      one(application('a', { secrets: ['s'], identity: 'application', serviceAccounts: ['batch'] })),
    );
    const { widened } = accessDifference(settled(alone), more);
    expect(widened).toMatchObject([{ more: ['a/batch'], fewer: [], after: { secret: 's' } }]);
    const back = accessDifference(more, settled(alone));
    expect(back).toMatchObject({ widened: [], narrowed: [{ more: [], fewer: ['a/batch'] }] });
  });

  it('is what others gain when an application moves to an identity that they share', () => {
    const apart = ['cluster', 'application'].map((identity) =>
      settled(one(application('a', { secrets: ['s-a'] }), application('b', { secrets: ['s-b'], identity }))),
    );
    const [shared, own] = apart as [Access, Access];
    const { gained, widened } = accessDifference(own, shared);
    expect(secretsIn(gained).map(({ reader, secret, overreach }) => [reader, secret, overreach])).toEqual([
      ['a', 's-b', true],
      ['b', 's-a', true],
    ]);
    expect(widened.map(({ after, more }) => [after.reader, more])).toEqual([['b', ['id-test-aks-1']]]);
  });

  it('is wider if a secret is read that is no longer named', () => {
    const named = settled(
      one(application('a', { secrets: ['s'] }), application('b', { secrets: ['s', 't'] })),
    );
    const over = settled(
      one(application('a', { secrets: ['t'] }), application('b', { secrets: ['s', 't'] })),
    );
    const { gained, lost, widened, narrowed } = accessDifference(named, over);
    expect([gained, lost]).toEqual([[], []]);
    expect(
      secretsIn(widened.map(({ after }) => after)).map(({ reader, secret }) => [reader, secret]),
    ).toEqual([['a', 's']]);
    expect(
      secretsIn(narrowed.map(({ after }) => after)).map(({ reader, secret }) => [reader, secret]),
    ).toEqual([['a', 't']]);
  });
});
