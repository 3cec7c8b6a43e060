import * as z from 'zod';
import type { AccessPolicy, AzureLists } from '../verification/access';
import { isInEntra } from '../verification/removal';
import type { Cloud } from '../components/azure/clouds';
import { apiVersions } from '../components/azure/resourceManager';
import { createAzureReader, type AzureReader, type AzureResource } from './azureReader';
import { createGraphReader, memberIds, type GraphReader } from './graphReader';

const optionalString = z
  .string()
  .nullish()
  .transform((value) => value ?? undefined);
const assignment = z.object({
  scope: z.string(),
  roleDefinitionId: z.string(),
  principalId: z.string(),
  description: optionalString,
  condition: optionalString,
});
const policies = z.array(
  z.object({ objectId: z.string(), permissions: z.record(z.string(), z.array(z.string()).nullish()) }),
);

const actions = z.array(z.string()).nullish();
const roleProperties = z.object({ permissions: z.array(z.object({ actions, dataActions: actions })) });
const actionsOf = (permission: z.output<typeof roleProperties>['permissions'][number]) => [
  ...(permission.actions ?? []),
  ...(permission.dataActions ?? []),
];

const binding = z
  .object({ managedIdentity: z.object({ resourceId: z.string() }), provisioningState: z.string() })
  .transform(({ managedIdentity, provisioningState }) => ({
    identity: managedIdentity.resourceId,
    state: provisioningState,
  }));

const keys = z.array(z.object({ keyId: z.string() }));
const application = z.object({ keyCredentials: keys, passwordCredentials: keys });

/**
 * Returns the lists of a cloud, as the signed-in account.
 *
 * @param azure reader that the command has already, with its token. Default: a new one
 */
export function listsIn(
  cloud: () => Promise<Cloud>,
  env: NodeJS.ProcessEnv,
  azure?: AzureReader,
): AzureLists {
  const once = lazy(cloud);
  return azureLists(
    lazy(async () => azure ?? createAzureReader(await once(), env)),
    lazy(async () => createGraphReader(await once(), env)),
  );
}

/** Creates a value on first use, and only once. */
function lazy<T>(create: () => Promise<T>): () => Promise<T> {
  let value: Promise<T> | undefined;
  return () => (value ??= create());
}

/**
 * Lists read through Azure's resource manager, and through Microsoft Graph for applications and groups. Their answers contain no
 * values of secrets, and need no role on a vault's data.
 */
export function azureLists(
  azure: () => Promise<AzureReader>,
  graph: () => Promise<GraphReader> = () => Promise.reject(new Error('Microsoft Graph is not used')),
): AzureLists {
  return {
    async listSecrets({ id }) {
      await vaultWith(await azure(), id);
      const secrets = await (await azure()).list(`${id}/secrets`, apiVersions.vaults);
      return secrets.map(({ name }) => name);
    },
    async listCredentials(identity) {
      const path = `${identity}/federatedIdentityCredentials`;
      const credentials = isInEntra(identity)
        ? await (await graph()).list(path.slice(1))
        : (await (await azure()).list(path, apiVersions.identities)).map(({ name, properties }) => ({
            ...properties,
            name,
          }));
      return credentials.map(({ name, issuer, subject, audiences }: Record<string, unknown>) => ({
        name: String(name),
        issuer: String(issuer),
        audiences: Array.isArray(audiences) ? audiences.map(String) : [],
        subject: typeof subject === 'string' ? subject : undefined,
      }));
    },
    async listAssignments(scope) {
      // Without a filter, it includes assignments above and below the scope, like `az role assignment list --all`.
      const path = `${scope}/providers/Microsoft.Authorization/roleAssignments`;
      const assignments = await (await azure()).list(path, apiVersions.assignments);
      return assignments.map(({ id, name, properties }) => {
        const { roleDefinitionId, ...rest } = assignment.parse(properties);
        return { id, name, ...rest, role: roleDefinitionId.split('/').at(-1) ?? '' };
      });
    },
    async listActions(role) {
      const definition = await (await azure()).get(role, apiVersions.roles);
      return definition && roleProperties.parse(definition.properties).permissions.flatMap(actionsOf);
    },
    async listPrincipals(group) {
      const path = `${group}/providers/Microsoft.ManagedIdentity/userAssignedIdentities`;
      const identities = await (await azure()).list(path, apiVersions.identities);
      return new Map(
        identities.map(({ id, properties }) => [id.toLowerCase(), String(properties.principalId)]),
      );
    },
    async listSignIns(clientId) {
      const path = `applications(appId='${clientId}')`;
      const [answer, credentials] = await Promise.all([
        (await graph()).get(`${path}?$select=keyCredentials,passwordCredentials`),
        (await graph()).list(`${path}/federatedIdentityCredentials`),
      ]);
      if (answer === undefined) return undefined;
      const { keyCredentials, passwordCredentials } = application.parse(answer);
      return {
        certificates: keyCredentials.map(({ keyId }) => keyId),
        passwords: passwordCredentials.map(({ keyId }) => keyId),
        federated: credentials.map(({ name }) => String(name)),
      };
    },
    listMembers: async (group) => memberIds(await graph(), group),
    async readBinding(id) {
      const found = await (await azure()).get(id, apiVersions.identityBindings);
      return found && binding.parse(found.properties);
    },
    async readVault(id) {
      const { tags, properties } = await vaultWith(await azure(), id);
      return {
        tags: tags ?? {},
        policies: policiesOf(properties),
      };
    },
  };
}

/** Returns the access policies of a vault. */
export function policiesOf({ accessPolicies }: AzureResource['properties']): AccessPolicy[] {
  return policies.parse(accessPolicies ?? []).map(({ objectId, permissions }) => ({
    objectId,
    permissions: Object.entries(permissions).flatMap(([area, names]) =>
      (names ?? []).map((name) => `${area} ${name}`.toLowerCase()),
    ),
  }));
}

/** Reads a vault. A missing vault is an error, since it would look like an empty one. */
async function vaultWith(azure: AzureReader, id: string): Promise<AzureResource> {
  const vault = await azure.get(id, apiVersions.vaults);
  if (vault === undefined) throw new Error("Azure has no vault with the resource id in the stack's outputs");
  return vault;
}
