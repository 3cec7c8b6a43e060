import * as z from 'zod';
import { limits } from '../../../components/azure/limits';
import {
  accessWindowsAccount,
  connectionWriterAccount,
  serviceOperatorAccount,
  tokenEventsAccount,
  workloadIdentityWebhookNamespace,
} from '../../../components/identity/subjects';
import { accessWindows } from './accessWindows';
import { chartFields, chartProvisions, chartValues } from './charts';
import { identityGenerations, identityId, servicePrincipal, storedServicePrincipal } from './clusters';
import {
  audience,
  boolean,
  choice,
  clusterSelection,
  countField,
  field,
  imagePattern,
  lines,
  list,
  name,
  object,
  pattern,
  projectYaml,
  record,
  retainOnDelete,
} from './fields';
import { dependencySettings, provisioning } from './dependencies';
import { roles } from './roles';
import { applicationVault } from './vaults';

export const secretName = name('keyVaultSecret', 'Name of a secret in the vault.');

/** Variables that the webhook injects or that the workload sets itself. Another value would be lost, or break the sign-in. */
export const reservedVariables = [
  'AZURE_AUTHORITY_HOST',
  'AZURE_CLIENT_CERTIFICATE_PATH',
  'AZURE_CLIENT_ID',
  'AZURE_CLIENT_SECRET',
  'AZURE_FEDERATED_TOKEN_FILE',
  'AZURE_TENANT_ID',
  'KEY_VAULT_URI',
  'SECRET_NAMES',
];

const variableName = pattern(
  new RegExp(`^(?!(${reservedVariables.join('|')})$)[A-Za-z_][A-Za-z0-9_]*$`),
  'Name of an environment variable.',
  `letters, digits and underscores, not starting with a digit, and none of ${reservedVariables.join(', ')}, which the deployment and the workload identity webhook set`,
  253,
);

export const identityScope = () =>
  choice(
    ['cluster', 'application'],
    'cluster: applications share the identity of their cluster, and what it may read. application: each application has a dedicated identity on each cluster.',
  );

const image = pattern(
  imagePattern,
  'Container image to run.',
  'an image reference with a tag or a digest, such as ghcr.io/owner/name:1.2.3',
);

const chart = object("The application's own Helm chart, instead of `image`.", {
  ...chartFields,
  values: chartValues.optional(),
  provisions: chartProvisions.optional(),
});

const secrets = list(secretName, 'Names of the secrets that the application may read.', 'a list of names');

/** Linux refuses a variable whose name and value exceed 128 KiB (execve(2)). */
const variableValue = field(lines(130_000), {
  description: 'Value of an environment variable.',
  allowed: 'a string of up to 130,000 characters; numbers and true or false in quotes',
});

const env = record(
  variableName,
  variableValue,
  'Additional environment variables; never secrets.',
  'an object of strings',
);

/** Namespaces of the cluster itself and of what the stack installs beside the applications. */
export const reservedNamespaces = [
  'default',
  'cert-manager',
  serviceOperatorAccount.namespace,
  workloadIdentityWebhookNamespace,
  accessWindowsAccount.namespace,
  connectionWriterAccount.namespace,
  tokenEventsAccount.namespace,
];

/** Returns the field for the path of a release file; `rest` is the end of its description. */
export const releaseFileField = (of: string, rest: string, example: string) =>
  pattern(
    projectYaml,
    `File with the releases of the ${of} and the release of each environment${rest}`,
    `a path of a .yaml file in the project, such as ${example}`,
  );

const replicas = countField('Number of pods on each cluster. Default: 2.', ...limits.replicas);
const port = countField('Port that the image serves. Default: 8080.', ...limits.port);

const delivery = choice(
  ['application', 'files', 'environment'],
  'How secrets reach an application with an image. application: it reads the vault itself. files: mounted below /mnt/secrets. environment: as variables, named like the secrets in upper case with underscores.',
);

const reused = (type: 'namespace' | 'serviceAccount', what: string) =>
  field(
    z.union([
      name(type, `Name of the ${what}, which the stack creates.`).transform((ownName) => ({
        name: ownName,
        existing: false,
      })),
      object(`The ${what}.`, {
        name: name(type, `Name of the ${what}.`),
        existing: boolean(`Whether the ${what} exists: it is used and never deleted.`).default(false),
      }),
    ]),
    {
      description: `Kubernetes ${what}. Default: the application's name.${type === 'namespace' ? ` Reserved: kube-*, ${reservedNamespaces.join(', ')}.` : ''}`,
      allowed: `a name, or { name: …, existing: true } for one that exists`,
    },
  );

const overridden = { clusters: clusterSelection('Clusters to which the override applies.') };
const ofImage = { replicas: replicas.optional(), port: port.optional(), env: env.optional() };
const ofChart = { values: chartValues.optional() };

const overrides = <T extends z.ZodRawShape>(shape: T) =>
  list(
    object('Settings for some of the clusters. `env` and `values` are merged, others replaced.', {
      ...overridden,
      ...shape,
    }),
    'Settings for some of the clusters; later entries take precedence.',
    'a list of objects with `clusters`',
  ).default([]);

const secretsOfRelease = { secrets: secrets.default([]) };
const releasedFields = {
  image: { image, ...secretsOfRelease, port: port.optional(), env: env.optional() },
  chart: { chart, ...secretsOfRelease },
};

/** The part that is promoted from one environment to the next: what runs, and what it may read. */
export const release = field(
  z.union([z.strictObject(releasedFields.image), z.strictObject(releasedFields.chart)]),
  {
    description: 'A release. Once an environment has it, it is never changed.',
    allowed: 'an object of `image` or `chart`, `secrets`, `port` and `env`',
    discriminatingKeys: ['image', 'chart'],
  },
);

const applicationDescription =
  'Name of the application. Reserved: `aso`, the name of another application with -aso appended, and with `shard: true` the names `s00` to `s31`.';
const applicationName = name('application', applicationDescription);

const applicationFields = {
  delivery: delivery.default('application'),
  clusters: clusterSelection('Clusters that the application runs on. Default: all.').optional(),
  identity: field(
    z.union([
      identityScope(),
      servicePrincipal('an application in Entra on each cluster, instead of a managed identity.'),
      object('Existing identities.', {
        existing: field(
          z.union([
            identityId,
            record(
              name('application', 'Name of a cluster.'),
              identityId,
              'An existing identity for each cluster that the application runs on.',
              'an object of resource ids by name of the cluster',
            ),
          ]),
          {
            description:
              'One existing identity, or one for each cluster that the application runs on. With `trust: identityBinding`, several clusters can have the same.',
            allowed: 'a resource id, or an object of resource ids by name of the cluster',
          },
        ),
      }),
      storedServicePrincipal(),
    ]),
    {
      description: 'Identity that the application runs as. Default: `identity` of the environment.',
      allowed:
        'cluster, application, servicePrincipal, { existing: <resource id> }, { existing: { <cluster>: <resource id> } }, or { servicePrincipal: { credential: certificate } }',
      discriminatingKeys: ['existing', 'servicePrincipal'],
    },
  ).optional(),
  signIn: choice(
    ['workloadIdentity', 'podIdentity', 'both'],
    'How its pods sign in. workloadIdentity: with workload identity. podIdentity: with aad-pod-identity, which needs `podIdentity` on the cluster; a service principal then needs a stored password. both: with either, as a step of the migration.',
  ).default('workloadIdentity'),
  trust: choice(
    ['federatedCredential', 'identityBinding'],
    "How its identities trust its service accounts. federatedCredential: with a federated credential for each of them on each cluster. identityBinding: through AKS identity bindings, a preview in Azure; one federated credential serves all clusters, and the application's Azure library must support it.",
  ).default('federatedCredential'),
  groups: list(
    name('application', 'Name of a group.'),
    "Names from `groups`. The application's identities become members of these groups on every cluster, and read their secrets as well.",
    'a list of names of groups',
  ).default([]),
  roles: roles(
    "Roles of the application's identities on any Azure resource, on every cluster. Secrets of a vault are in `secrets`. A promotion does not include roles: each environment has its own.",
  ),
  accessWindows,
  identityGenerations: identityGenerations("the application's own identities").optional(),
  vault: applicationVault.optional(),
  namespace: reused('namespace', 'namespace').optional(),
  sharedNamespace: choice(
    ['accepted'],
    'Consent to share a namespace with another application of the stack on one of its clusters: anyone who may create pods in it can use the identity of each. Required for all applications of a shared namespace, and only for these.',
  ).optional(),
  serviceAccount: reused('serviceAccount', 'service account').optional(),
  serviceAccounts: list(
    name('serviceAccount', 'Name of a service account.'),
    'Additional service accounts of the application in its namespace, with the same identity.',
    'a list of names',
  ).default([]),
  audience: audience("Audience of the application's tokens. Default: the environment's.").optional(),
  dependencies: list(
    dependencySettings,
    'Azure services that the application depends on.',
    'a list of objects with `name` and a service',
  ).default([]),
  provisioning: provisioning.default('cluster'),
  retainOnDelete: retainOnDelete(
    'the identities of the application, its own vault and its dependencies',
  ).optional(),
};

const applicationOfImage = z.strictObject({
  name: applicationName,
  ...releasedFields.image,
  ...applicationFields,
  replicas: replicas.optional(),
  overrides: overrides({ image: image.optional(), ...ofImage }),
});

const deployedBy = choice(
  ['others'],
  'others: Argo CD, Flux or kubectl deploys the pods, not the stack. The stack creates the namespace and the service accounts, or annotates existing ones, and grants trust and access. Instead of `image`, `chart` and `release`.',
);

/** An application with an image, with a chart of its own, with a release file that has either, or deployed by others. */
export const application = field(
  z.union([
    applicationOfImage,
    z.strictObject({
      name: name('helmRelease', applicationDescription),
      ...releasedFields.chart,
      ...applicationFields,
      overrides: overrides(ofChart),
    }),
    z.strictObject({
      name: applicationName,
      release: releaseFileField(
        'application',
        '; instead of `image`, `chart` and `secrets`.',
        './applications/orders.yaml',
      ),
      ...applicationFields,
      replicas: replicas.optional(),
      env: env.optional(),
      overrides: overrides({ ...ofImage, ...ofChart }),
    }),
    z.strictObject({ name: applicationName, deployedBy, ...secretsOfRelease, ...applicationFields }),
  ]),
  {
    description: 'An application.',
    allowed: 'an object with at least `name`, and `image`, `chart`, `release` or `deployedBy`',
    discriminatingKeys: ['image', 'chart', 'release', 'deployedBy'],
  },
);
