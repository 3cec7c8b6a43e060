import { z } from 'zod';
import { nameRule } from '../components/naming';
import type { NamedType } from '../components/naming';

// The configuration of a stack: the one source of truth for its types, its checks, its defaults and its
// messages. Each field says in `meta` what it means and what is allowed, in words for messages and editors.

/** What a field says about itself. */
interface FieldMeta {
  readonly description: string;
  /** What is allowed, in words; completes "Allowed: …". */
  readonly allowed: string;
  /** A value that would do. */
  readonly example?: string;
}

const field = <T extends z.ZodType>(schema: T, meta: FieldMeta): T => schema.meta({ ...meta });

const name = (type: NamedType, description: string) => {
  const rule = nameRule(type);
  const matches = (value: string) =>
    value.length >= rule.minLength && value.length <= rule.maxLength && rule.pattern.test(value);
  return field(z.string().refine(matches), { description, allowed: rule.allowed });
};

const secretName = name('keyVaultSecret', 'Name of a secret in the vault.');

export const identityScopes = ['cluster', 'application'] as const;
export const vaultPlacements = ['central', 'perApplication'] as const;
export const vaultAccesses = ['rbac', 'accessPolicy'] as const;

const text = field(z.string(), {
  description: 'A text.',
  allowed: 'a text; numbers and true or false in quotes',
});
const variableName = field(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/), {
  description: 'Name of an environment variable.',
  allowed: 'letters, digits and underscores, not starting with a digit',
});

const identityScope = field(z.enum(identityScopes), {
  description:
    'cluster: applications run as the identity of their cluster and share what it may read. application: a dedicated identity on each cluster.',
  allowed: 'cluster, application',
});
const placement = field(z.enum(vaultPlacements), {
  description:
    'Where secrets are: in the central vault of the environment, or in a vault of the application.',
  allowed: 'central, perApplication',
});
const access = field(z.enum(vaultAccesses), {
  description:
    'rbac: a role assignment on each named secret. accessPolicy: a policy, which covers all secrets of the vault.',
  allowed: 'rbac, accessPolicy',
});
const flag = (description: string) => field(z.boolean(), { description, allowed: 'true, false' });
const count = (description: string, min: number, max: number) =>
  field(z.int().min(min).max(max), { description, allowed: `a whole number from ${min} to ${max}` });

const chartReference = field(
  // An absolute path would be another on the next machine, and show a difference at every update.
  z.string().regex(/^(?!\/|~|file:|[A-Za-z]:\\)\S+$/),
  {
    description: 'Name of the chart in its repository, an OCI reference, or a path relative to the project.',
    allowed: 'a name with `repository`, oci://…, or a relative path such as ./charts/reports',
  },
);
const repository = field(z.string().regex(/^https:\/\/\S+$/), {
  description: 'URL of the chart repository.',
  allowed: 'an https:// URL (an alias of a local helm is not known on the next machine)',
});
const chartVersion = field(z.string().regex(/^v?\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$/), {
  description: 'Version of the chart.',
  allowed: 'one exact version such as 1.2.3 (a range would change without a change here)',
});
const chartFields = {
  chart: chartReference,
  repository: repository.optional(),
  version: chartVersion.optional(),
};
const platformChart = {
  chart: chartReference.optional(),
  repository: repository.optional(),
  version: chartVersion.optional(),
};

const vault = field(
  z.strictObject({
    name: name('keyVault', 'Name of the central vault, unique in all of Azure.'),
    access: access.default('rbac'),
    publicAccess: flag('Reachable from the internet; every request still needs a token with access.').default(
      false,
    ),
    softDeleteRetentionInDays: count(
      'Days for which what was deleted can be recovered; cannot be changed later.',
      7,
      90,
    ).default(90),
    purgeProtection: flag(
      'Nobody can purge before the retention is over; cannot be switched off again.',
    ).default(true),
    overreach: field(z.enum(['refused', 'accepted']), {
      description:
        'What to do if access policies let an identity read more of a vault than its applications name.',
      allowed: 'refused, accepted',
    }).default('refused'),
  }),
  { description: 'The central vault.', allowed: 'an object with at least `name`' },
);

const cluster = field(
  z.strictObject({
    name: name('application', 'Name of the cluster; part of the names of its identities.'),
    kubernetesVersion: field(z.string().regex(/^1\.\d+(\.\d+)?$/), {
      description:
        'Kubernetes version; without a third number, it gets its patches by itself. Default: the one that AKS takes for new clusters.',
      allowed: 'a version in quotes such as "1.35" or "1.35.4"',
    }).optional(),
    nodes: field(
      z.strictObject({
        count: count('Number of nodes.', 1, 1000).optional(),
        vmSize: field(z.string().regex(/^Standard_[\w-]+$/), {
          description: 'Size of the virtual machines.',
          allowed: 'a size such as Standard_D4ds_v5',
        }).optional(),
      }),
      { description: 'Nodes of the system pool.', allowed: 'an object of `count` and `vmSize`' },
    ).optional(),
    tier: field(z.enum(['Free', 'Standard', 'Premium']), {
      description: 'Service tier of the API server.',
      allowed: 'Free, Standard, Premium',
    }).optional(),
  }),
  { description: 'A cluster.', allowed: 'an object with at least `name`' },
);

const application = field(
  z.strictObject({
    name: name('application', 'Name of the application.'),
    image: field(z.string().regex(/^[a-z0-9][\w.:/-]*(:[\w][\w.-]{0,127}|@sha256:[0-9a-f]{64})$/), {
      description: 'Image to run.',
      allowed: 'an image reference with a tag or a digest, such as ghcr.io/owner/name:1.2.3',
    }).optional(),
    chart: field(
      z.strictObject({
        ...chartFields,
        values: field(z.record(z.string(), z.unknown()), {
          description: "Values of the owner's; the identity's win over them.",
          allowed: 'an object',
        }).optional(),
      }),
      {
        description: "The owner's own Helm chart, instead of `image`.",
        allowed: 'an object with at least `chart`',
      },
    ).optional(),
    secrets: field(z.array(secretName), {
      description: 'Names of the secrets that the application may read.',
      allowed: 'a list of names',
    }).default([]),
    clusters: field(z.array(name('application', 'Name of a cluster.')).min(1), {
      description: 'Clusters that the application runs on. Default: all.',
      allowed: 'a list of at least one name of a cluster',
    }).optional(),
    identity: identityScope.optional(),
    vault: field(
      z.strictObject({
        placement: placement.optional(),
        access: access.optional(),
        name: name('keyVault', 'Name of the own vault. Default: <central vault>-<application>.').optional(),
      }),
      {
        description: 'Where the secrets of this application are.',
        allowed: 'an object of `placement`, `access` and `name`',
      },
    ).optional(),
    namespace: name('namespace', "Kubernetes namespace. Default: the application's name.").optional(),
    serviceAccount: name(
      'serviceAccount',
      "Kubernetes service account. Default: the application's name.",
    ).optional(),
    replicas: count('Number of pods on each cluster. Default: 2.', 0, 1000).optional(),
    port: count('Port that the image serves. Default: 8080.', 1, 65535).optional(),
    env: field(z.record(variableName, text), {
      description: 'Further environment variables; never secrets.',
      allowed: 'an object of texts',
    }).optional(),
  }),
  { description: 'An application.', allowed: 'an object with at least `name`, and `image` or `chart`' },
);

/** The whole configuration; what the stack file says under `aks-workload-identity:`. */
export const stackSchema = z.strictObject({
  location: field(z.string().regex(/^[a-z][a-z0-9]+$/), {
    description: 'Azure region.',
    allowed: 'the short name of a region, such as westeurope',
    example: 'westeurope',
  }),
  resourceGroup: name('resourceGroup', 'Resource group of the environment: clusters, identities, vaults.'),
  identity: identityScope.default('cluster'),
  vaults: placement.default('central'),
  vault,
  clusters: field(z.array(cluster).min(1), {
    description: 'The clusters.',
    allowed: 'a list of at least one cluster, such as [{ name: aks-1 }]',
  }),
  applications: field(z.array(application), {
    description: 'The applications.',
    allowed: 'a list of applications',
  }).default([]),
  certManager: field(z.strictObject({ ...platformChart, replicas: count('Replicas.', 1, 10).optional() }), {
    description: "cert-manager's chart. Default: from the vendor's repository.",
    allowed: 'an object of `chart`, `repository`, `version` and `replicas`',
  }).default({}),
  serviceOperator: field(
    z.strictObject({
      ...platformChart,
      replicas: count('Replicas.', 1, 10).optional(),
      crdPattern: field(
        z.string().regex(/^[a-z0-9.*?-]+\/[A-Za-z0-9*?]+(;[a-z0-9.*?-]+\/[A-Za-z0-9*?]+)*$/),
        {
          description: 'Custom resources that the operator installs.',
          allowed: 'group/kind patterns separated by semicolons, such as "resources.azure.com/*"',
        },
      ).optional(),
    }),
    {
      description: "Azure Service Operator's chart. Default: from the vendor's repository.",
      allowed: 'an object of `chart`, `repository`, `version`, `replicas` and `crdPattern`',
    },
  ).default({}),
  secretValues: field(
    z.record(
      secretName,
      field(z.string().min(1).max(25_000), {
        description: 'Value of a secret.',
        allowed: 'a text of 1 to 25,000 characters',
      }),
    ),
    {
      description: 'Values of secrets. A secret without one must be in its vault already.',
      allowed: 'an object of secret texts by name',
    },
  ).default({}),
  tags: field(z.record(z.string(), text), {
    description: 'Tags of everything that is made in Azure.',
    allowed: 'an object of texts',
  }).default({}),
  protect: flag('Refuse to delete the resource group, the vaults and the identities.').default(true),
});

/** A valid configuration, defaults filled in. */
export type StackSettings = z.output<typeof stackSchema>;
export type ClusterSettings = StackSettings['clusters'][number];
export type ApplicationSettings = StackSettings['applications'][number];
