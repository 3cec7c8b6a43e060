import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { ApiClient } from './api/client';
import { nodeName } from './controlplane/node';
import { writeWhole } from '../writeWhole';

/** The facts about Azure that AKS writes to a node. */
export interface AzureNode {
  scaleSetId: string;
  kubeletClientId: string;
  tenantId: string;
}

/**
 * Writes the node's azure.json, and sets the provider id of its Node object, as AKS does. Source:
 * kubernetes-sigs/cloud-provider-azure `site/content/en/install/configs.md`.
 *
 * @param folder the node's file system
 */
export async function describeNode(client: ApiClient, folder: string, node: AzureNode): Promise<void> {
  const [, , subscriptionId, , resourceGroup] = node.scaleSetId.split('/');
  const file = path.join(folder, 'etc', 'kubernetes', 'azure.json');
  await mkdir(path.dirname(file), { recursive: true });
  writeWhole(
    file,
    JSON.stringify({
      ...{
        cloud: 'AzurePublicCloud',
        tenantId: node.tenantId,
        subscriptionId,
        resourceGroup,
        vmType: 'vmss',
      },
      ...{ aadClientId: 'msi', aadClientSecret: 'msi', useManagedIdentityExtension: true },
      userAssignedIdentityID: node.kubeletClientId,
    }),
  );
  await client.request('PATCH', `/api/v1/nodes/${nodeName}`, {
    body: { spec: { providerID: `azure://${node.scaleSetId}/virtualMachines/0` } },
    contentType: 'application/merge-patch+json',
  });
}
