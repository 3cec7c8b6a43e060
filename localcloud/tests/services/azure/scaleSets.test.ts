import { randomUUID } from 'node:crypto';
import { ComputeManagementClient } from '@azure/arm-compute';
import type { TokenCredential } from '@azure/identity';
import { clusterWith } from '../../support/kubernetes/cloud';
import { all, refusal, withCloud } from '../../support/azure';

const MACHINE_CONTRIBUTOR = '9980e02c-c2be-4d73-94e8-173b1dc7cf3c';
const IDENTITY_OPERATOR = 'f1a07417-d97a-45cb-824c-7a7467783830';

describe('scale sets of nodes, through @azure/arm-compute', () => {
  const cloud = withCloud({ fresh: true });
  const name = 'aks-nodepool1-local-vmss';

  const compute = (credential: TokenCredential = cloud.administrator()) =>
    new ComputeManagementClient(credential, cloud.subscriptionId, cloud.clientOptions())
      .virtualMachineScaleSets;
  const cluster = async (addon = false) => {
    const created = await cloud.clusters().managedClusters.createOrUpdate('rg', 'aks', clusterWith(addon));
    return {
      group: created.nodeResourceGroup ?? '',
      kubelet: created.identityProfile?.['kubeletidentity']?.resourceId ?? '',
    };
  };
  const identity = async (of: string) =>
    cloud.identities().userAssignedIdentities.createOrUpdate('rg', of, { location: 'westeurope' });
  const assign = (group: string, ids: readonly string[], credential?: TokenCredential) =>
    compute(credential).update(group, name, {
      identity: {
        type: 'UserAssigned',
        userAssignedIdentities: Object.fromEntries(ids.map((id) => [id, {}])),
      },
    });
  const assigned = async (group: string) =>
    Object.keys((await compute().get(group, name)).identity?.userAssignedIdentities ?? {});

  it('has the identities that AKS assigns to nodes, and assigns and removes others', async () => {
    const { group, kubelet } = await cluster();
    const { id = '', principalId, clientId } = await identity('id-app');
    expect((await all(compute().list(group))).map((each) => each.name)).toEqual([name]);
    expect((await all(compute().listAll())).map((each) => each.name)).toEqual([name]);
    expect(await assigned(group)).toEqual([kubelet]);

    await assign(group, [id.toLowerCase()]);
    const { identity: held } = await compute().get(group, name);
    expect(held?.userAssignedIdentities).toMatchObject({ [id]: { principalId, clientId }, [kubelet]: {} });
    // A write of the cluster leaves what others assigned, and adds what AKS does.
    await cluster(true);
    expect(await assigned(group)).toEqual([kubelet, expect.stringContaining('azurekeyvault'), id]);

    // The vendor's clients send null, which the type of this one lacks.
    const removal = { [id]: null } as unknown as Record<string, object>;
    await compute().update(group, name, {
      identity: { type: 'UserAssigned', userAssignedIdentities: removal },
    });
    expect(await assigned(group)).toEqual([kubelet, expect.stringContaining('azurekeyvault')]);

    await cloud.clusters().managedClusters.delete('rg', 'aks');
    expect(await refusal(compute().get(group, name))).toMatchObject({ status: 404 });
  });

  it('refuses an identity without a role for it, and one that does not exist', async () => {
    const { group, kubelet } = await cluster();
    const { id = '' } = await identity('id-app');
    const { objectId, credential } = cloud.principal('mic');
    const { id: scope = '' } = await compute().get(group, name);
    const grant = (role: string, at: string) =>
      cloud.authorization().roleAssignments.create(at, randomUUID(), {
        principalId: objectId,
        principalType: 'ServicePrincipal',
        roleDefinitionId: `/subscriptions/${cloud.subscriptionId}/providers/Microsoft.Authorization/roleDefinitions/${role}`,
      });
    expect(await refusal(assign(group, [id], credential))).toMatchObject({
      ...{ status: 403, code: 'AuthorizationFailed' },
    });
    await grant(MACHINE_CONTRIBUTOR, scope);
    const refused = await refusal(assign(group, [id], credential));
    expect(refused).toMatchObject({ status: 403, code: 'LinkedAuthorizationFailed' });
    expect(refused.message).toContain('Microsoft.ManagedIdentity/userAssignedIdentities/assign/action');
    expect(await assigned(group)).toEqual([kubelet]);

    await grant(IDENTITY_OPERATOR, id);
    await assign(group, [id], credential);
    expect(await assigned(group)).toEqual([kubelet, id]);

    expect(await refusal(assign(group, [`${id}-none`]))).toMatchObject({
      ...{ status: 400, code: 'FailedIdentityOperation' },
      message: expect.stringContaining(`Resource '${id}-none' was not found`) as string,
    });
  });
});
