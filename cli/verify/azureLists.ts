import { z } from 'zod';
import type { AzureLists } from '../../verification/access';
import { isInEntra } from '../../verification/removal';
import { apiVersions } from '../../stacks/offline';
import type { AzureReader, AzureResource } from '../azureReader';
import { memberIds, type GraphReader } from '../graphReader';

const text = z
  .string()
  .nullish()
  .transform((given) => given ?? undefined);
const assignment = z.object({
  ...{ scope: z.string(), roleDefinitionId: z.string(), principalId: z.string() },
  ...{ description: text, condition: text },
});
const policies = z.array(
  z.object({ objectId: z.string(), permissions: z.record(z.string(), z.array(z.string()).nullish()) }),
);

const actions = z.array(z.string()).nullish();
const roleProperties = z.object({ permissions: z.array(z.object({ actions, dataActions: actions })) });
const permitted = (one: z.output<typeof roleProperties>['permissions'][number]) => [
  ...(one.actions ?? []),
  ...(one.dataActions ?? []),
];

const keys = z.array(z.object({ keyId: z.string() }));
const application = z.object({ keyCredentials: keys, passwordCredentials: keys });

/**
 * What Azure's resource manager lists, and Microsoft Graph of applications and groups. Their answers have no secret values,
 * and need no role on a vault's data.
 */
export function azureLists(azure: () => Promise<AzureReader>, graph: () => Promise<GraphReader>): AzureLists {
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
      // Without a filter: above and below the scope as well, as `az role assignment list --all` lists them.
      const path = `${scope}/providers/Microsoft.Authorization/roleAssignments`;
      const found = await (await azure()).list(path, apiVersions.assignments);
      return found.map(({ id, name, properties }) => {
        const { roleDefinitionId, ...rest } = assignment.parse(properties);
        return { id, name, ...rest, role: roleDefinitionId.split('/').at(-1) ?? '' };
      });
    },
    async listActions(role) {
      const found = await (await azure()).get(role, apiVersions.roles);
      return found && roleProperties.parse(found.properties).permissions.flatMap(permitted);
    },
    async listPrincipals(group) {
      const path = `${group}/providers/Microsoft.ManagedIdentity/userAssignedIdentities`;
      const found = await (await azure()).list(path, apiVersions.identities);
      return new Map(found.map(({ id, properties }) => [id.toLowerCase(), String(properties.principalId)]));
    },
    async listSignIns(clientId) {
      const path = `applications(appId='${clientId}')`;
      const [found, credentials] = await Promise.all([
        (await graph()).get(`${path}?$select=keyCredentials,passwordCredentials`),
        (await graph()).list(`${path}/federatedIdentityCredentials`),
      ]);
      if (found === undefined) return undefined;
      const { keyCredentials, passwordCredentials } = application.parse(found);
      return {
        certificates: keyCredentials.map(({ keyId }) => keyId),
        passwords: passwordCredentials.map(({ keyId }) => keyId),
        federated: credentials.map(({ name }) => String(name)),
      };
    },
    listMembers: async (group) => memberIds(await graph(), group),
    async readVault(id) {
      const { tags, properties } = await vaultWith(await azure(), id);
      const found = policies.parse(properties.accessPolicies ?? []);
      return {
        tags: tags ?? {},
        policies: found.map(({ objectId, permissions }) => ({
          objectId,
          permissions: Object.entries(permissions).flatMap(([area, all]) =>
            (all ?? []).map((one) => `${area} ${one}`.toLowerCase()),
          ),
        })),
      };
    },
  };
}

/** A vault that is not there is an error: it would pass for an empty one. */
async function vaultWith(azure: AzureReader, id: string): Promise<AzureResource> {
  const vault = await azure.get(id, apiVersions.vaults);
  if (vault === undefined) throw new Error('Azure has no vault with the resource id of the outputs');
  return vault;
}
