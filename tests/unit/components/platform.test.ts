import * as pulumi from '@pulumi/pulumi';
import { CertManager } from '../../../components/platform/certManager';
import type { ServiceOperatorArgs } from '../../../components/platform/serviceOperator';
import { ServiceOperator } from '../../../components/platform/serviceOperator';
import { connectingTo, readyCluster } from './support/cluster';
import { record } from './support/recorder';
import { group, guidOf, ids } from './support/azure';

// The order in which what is installed is asked whether it answers. What is installed is in the goldens. What mocks do not
// prove: that helm waits, that cert-manager's API answers, and that the operator signs in.

const identity = {
  id: `${group}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/id-dev-aks-1-aso`,
  ...{ clientId: guidOf('client'), tenantId: ids.tenant },
};

/** The first of what a component is made of, which is no output of it. */
function releaseOf(component: pulumi.ComponentResource): pulumi.Resource {
  const { __childResources: children } = component as unknown as { __childResources: Set<pulumi.Resource> };
  const [first] = children;
  if (first === undefined) throw new Error('It has no children.');
  return first;
}

/** An operator after cert-manager, if that is of the stack. */
const operatorWith = (args: Partial<ServiceOperatorArgs>, ...certManager: CertManager[]) =>
  new ServiceOperator(
    'aks-1-service-operator',
    { identity, subscriptionId: ids.subscription, kubeconfig: 'kubeconfig', ...args },
    { dependsOn: certManager },
  );

describe('what was installed', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  const kubeconfig = pulumi.secret('of the test');

  /** A cluster in which everything answers, and what it was asked, among what else happened. */
  function observed() {
    const events: string[] = [];
    const asked = connectingTo({
      ...readyCluster,
      // Not at once, so that whoever does not wait for it comes before it.
      dryRun: async ({ kind }) => {
        await new Promise((resolve) => setTimeout(resolve, 50));
        events.push(`asked for ${kind}`);
        return undefined;
      },
      get: (reference) => {
        events.push(`asked of ${reference.kind}`);
        return readyCluster.get(reference);
      },
    });
    const note = (what: string, resource: pulumi.Resource) =>
      void resource.urn.apply(() => void events.push(`made ${what}`));
    return { events, asked, note };
  }

  /** All that can be asked, of cert-manager and of the operator. */
  function whole({ note }: ReturnType<typeof observed>): ServiceOperator {
    const certManager = new CertManager('aks-1-cert-manager');
    note('cert-manager', releaseOf(certManager));
    const operator = operatorWith(
      { kubeconfig, selfReading: { identity, location: 'westeurope', right: '/the/right' } },
      certManager,
    );
    note('operator', releaseOf(operator));
    operator.ready.apply(() => {
      note('dependent', operator);
    });
    return operator;
  }

  it('is asked, one after the other, before anything that needs it is created', async () => {
    const seen = observed();
    await record(() => whole(seen));

    expect(seen.events).toEqual([
      'made cert-manager',
      'asked for Issuer',
      'made operator',
      'asked for UserAssignedIdentity',
      'asked of UserAssignedIdentity',
      'made dependent',
    ]);
    expect([...new Set(seen.asked)]).toEqual(['of the test']);
  });

  it('is not asked in a preview, which registers the same', async () => {
    const seen = observed();
    const { registrations } = await record(() => whole(seen), { preview: true });
    const update = await record(() => whole(observed()));

    expect(seen.asked).toEqual([]);
    expect(registrations.map(({ name }) => name).sort()).toEqual(
      update.registrations.map(({ name }) => name).sort(),
    );
  });

  it('by others is asked as well: the operator waits for a cert-manager outside the stack', async () => {
    const seen = observed();
    await record(() => {
      const operator = operatorWith({ kubeconfig });
      seen.note('operator', releaseOf(operator));
      return operator;
    });

    expect(seen.events.slice(0, 3)).toEqual([
      'asked for Issuer',
      'made operator',
      'asked for UserAssignedIdentity',
    ]);
  });
});
