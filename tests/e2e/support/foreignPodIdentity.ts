import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Miss, until } from '../../../localcloud/tests/support/kubernetes/client';
import type { AzureClients } from '../../support/azureClients';
import type { LocalCloud } from '../../support/localCloud';
import { readingImage } from './readings';

const roles = {
  identityOperator: 'f1a07417-d97a-45cb-824c-7a7467783830',
  secretsOfficer: 'b86a8fe4-44ce-4948-aee5-eccb2c155cd7',
  secretsUser: '4633458b-17de-408a-b874-0445c86b69e6',
};
const group = 'rg-shop';
const vault = 'kv-wi-shop';
const label = { aadpodidbinding: 'shop' };

/** Another team's application, which signs in through aad-pod-identity. All of its resources are created by hand. */
export class ForeignPodIdentity {
  constructor(
    private readonly azure: AzureClients,
    private readonly cloud: LocalCloud,
  ) {}

  private get kubernetes() {
    return this.cloud.kubernetes('aks-1');
  }

  private assign(role: keyof typeof roles, scope: string, principalId: string) {
    return this.azure.authorization().roleAssignments.create(scope, randomUUID(), {
      ...{ principalId, principalType: 'ServicePrincipal' },
      roleDefinitionId: `/subscriptions/${this.azure.subscriptionId}/providers/Microsoft.Authorization/roleDefinitions/${roles[role]}`,
    });
  }

  /** Creates the application's resources. @param file file to which the pod appends its readings */
  async make(file: string): Promise<void> {
    const { azure } = this;
    await azure.resources().resourceGroups.createOrUpdate(group, { location: 'westeurope' });
    const created = await azure.vaults().vaults.createOrUpdate(group, vault, {
      location: 'westeurope',
      properties: {
        tenantId: azure.tenantId,
        sku: { family: 'A', name: 'standard' },
        enableRbacAuthorization: true,
      },
    });
    await azure.grant(created.id ?? '', roles.secretsOfficer);
    await azure.secrets(vault).setSecret('shop-db', 'of the shop');
    const identity = await azure
      .identities()
      .userAssignedIdentities.createOrUpdate(group, 'id-shop', { location: 'westeurope' });
    const { id: resourceID = '', clientId: clientID = '', principalId = '' } = identity;
    const { identityProfile } = await azure.clusters().managedClusters.get('rg-pod-identity', 'aks-1');
    await this.assign('identityOperator', resourceID, identityProfile?.['kubeletidentity']?.objectId ?? '');
    await this.assign('secretsUser', created.id ?? '', principalId);

    const { core, objects } = await this.kubernetes;
    const metadata = { name: 'shop', namespace: 'shop' };
    await core.createNamespace({ body: { metadata: { name: 'shop' } } });
    const apiVersion = 'aadpodidentity.k8s.io/v1';
    for (const object of [
      { apiVersion: 'v1', kind: 'ServiceAccount', metadata },
      { apiVersion, kind: 'AzureIdentity', metadata, spec: { type: 0, resourceID, clientID } },
      {
        ...{ apiVersion, kind: 'AzureIdentityBinding', metadata },
        spec: { azureIdentity: 'shop', selector: 'shop' },
      },
      deployment(file),
    ])
      await objects.create(object);
  }

  /** Runs federated-credentials.sh with an `az` that only records its arguments, and then executes that command. */
  async trust(script: string, folder: string): Promise<void> {
    const calls = path.join(folder, 'az.calls');
    writeFileSync(path.join(folder, 'az'), `#!/bin/sh\nprintf '%s\\n' "$@" >>'${calls}'\n`, { mode: 0o755 });
    execFileSync('sh', ['-e', script], {
      env: { ...process.env, PATH: `${folder}:${process.env.PATH ?? ''}` },
    });
    const [first, second, third, ...options] = readFileSync(calls, 'utf8').split('\n').slice(0, -1);
    if ([first, second, third].join(' ') !== 'identity federated-credential create')
      throw new Error(`az was called otherwise: ${readFileSync(calls, 'utf8')}`);
    const argument = (name: string) => options[options.indexOf(`--${name}`) + 1] ?? '';
    await this.azure
      .identities()
      .federatedIdentityCredentials.createOrUpdate(
        ...([argument('resource-group'), argument('identity-name'), argument('name')] as const),
        {
          issuer: argument('issuer'),
          subject: argument('subject'),
          audiences: [argument('audiences')],
        },
      );
  }

  /** Merges into an existing object, as `kubectl patch --type merge` does. Unlike `kubectl apply`, it owns no fields. */
  async apply(object: { apiVersion: string; kind: string; metadata: { name: string; namespace: string } }) {
    const { objects } = await this.kubernetes;
    const { PatchStrategy } = await import('@kubernetes/client-node');
    await objects.patch(
      object,
      ...([undefined, undefined, 'somebody', undefined, PatchStrategy.MergePatch] as const),
    );
  }

  /** Removes the application from aad-pod-identity. */
  async unbind(): Promise<void> {
    const { custom } = await this.kubernetes;
    await this.apply({
      ...{ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'shop', namespace: 'shop' } },
      ...{ spec: { template: { metadata: { labels: { aadpodidbinding: null } } } } },
    });
    for (const plural of ['azureidentitybindings', 'azureidentities'])
      await custom.deleteNamespacedCustomObject({
        ...{ group: 'aadpodidentity.k8s.io', version: 'v1', namespace: 'shop', plural, name: 'shop' },
      });
  }

  /** Resolves when the application has only one pod, which is ready and has no label of aad-pod-identity. */
  async replaced(): Promise<void> {
    const { core } = await this.kubernetes;
    await until('the new pod of the shop', async () => {
      const { items } = await core.listNamespacedPod({ namespace: 'shop' });
      const isNew = items.map(
        ({ metadata, status }) =>
          metadata?.labels?.['aadpodidbinding'] === undefined &&
          status?.conditions?.some(
            (condition) => condition.type === 'Ready' && condition.status === 'True',
          ) === true,
      );
      return (isNew.length === 1 && isNew[0] === true) || new Miss(JSON.stringify(isNew));
    });
  }
}

const deployment = (file: string) => ({
  ...{ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'shop', namespace: 'shop' } },
  spec: {
    replicas: 1,
    selector: { matchLabels: { app: 'shop' } },
    template: {
      metadata: { labels: { app: 'shop', ...label } },
      spec: {
        serviceAccountName: 'shop',
        containers: [
          {
            ...{ name: 'shop', image: `${readingImage}:1`, ports: [{ containerPort: 8080 }] },
            env: [
              { name: 'AZURE_TOKEN_CREDENTIALS', value: 'prod' },
              { name: 'KEY_VAULT_URI', value: `https://${vault}.vault.azure.net/` },
              { name: 'SECRET_NAMES', value: 'shop-db' },
              { name: 'READINGS', value: file },
            ],
            readinessProbe: { httpGet: { path: '/readyz', port: 8080 }, periodSeconds: 1 },
          },
        ],
      },
    },
  },
});
