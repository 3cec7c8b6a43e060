import { declared, registered } from '../../../policy/declared';
import { overreachOf } from '../../../policy/rules/overreach';
import { accessOf } from '../../../stacks/access/reach';
import { registeredBy } from '../stacks/settledAccess';
import { application, configurationOf, validInput } from '../stacks/settings';

/** What the policy says of a workload. */
async function of(changes: Record<string, unknown>, name: string): Promise<readonly string[]> {
  const { resources, outputs } = await registeredBy(configurationOf(validInput(changes)));
  return overreachOf(accessOf({ resources, outputs }, 'test')).get(name) ?? [];
}

const two = (identity: string) => ({
  ...{ identity, clusters: [{ name: 'aks-1' }] },
  ...{ certManager: { install: false }, serviceOperator: { install: false } },
  applications: [
    application('shop', { secrets: ['shop-db'] }),
    application('cart', { secrets: ['cart-db', 'cart-key'] }),
  ],
});

describe('overreach', () => {
  it('is none where each application has its own identity', async () => {
    expect(await of(two('application'), 'aks-1-shop')).toEqual([]);
  });

  it('is what an application can use through a shared identity and does not name', async () => {
    expect(await of(two('cluster'), 'aks-1-shop')).toEqual([
      expect.stringMatching(
        /^It can use kv-test\/cart-db, kv-test\/cart-key: identity \S+ is shared with cart\. Set `identity: application`/,
      ),
    ]);
  });

  it('is what an access policy opens', async () => {
    const vault = { name: 'kv-test', access: 'accessPolicy', overreach: 'accepted' };
    expect((await of({ ...two('application'), vault }, 'aks-1-shop'))[0]).toMatch(
      /It can use kv-test\/cart-db, kv-test\/cart-key: an access policy, which opens the whole vault\./,
    );
  });
});

describe('a resource as policies see it', () => {
  const urn = 'urn:pulumi:dev::aks-workload-identity::azure-native:keyvault:AccessPolicy::kv/one';
  const unknown = new Error('unknown');
  const known = (value: () => unknown): unknown => {
    try {
      return value();
    } catch {
      return undefined;
    }
  };

  it('omits unknown values at any depth, and has their sources', () => {
    const policy = Object.defineProperty({ permissions: { secrets: ['get'] } }, 'objectId', {
      enumerable: true,
      get() {
        throw unknown;
      },
    });
    const shown = {
      urn,
      name: 'kv/one',
      props: { policy },
      propertyDependencies: { policy: [{ urn: 'urn:identity' }] },
    };
    expect(registered(shown, known)).toMatchObject({
      inputs: { policy: { permissions: { secrets: ['get'] }, objectId: undefined } },
      sources: { policy: ['urn:identity'] },
    });
    expect(declared(shown).type).toBe('azure-native:keyvault:AccessPolicy');
  });
});
