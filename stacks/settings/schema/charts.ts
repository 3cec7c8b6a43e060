import * as z from 'zod';
import { hiddenCharacters } from '../../../components/resource/visibleText';
import type { ChartSource } from '../../../components/platform/chart';
import {
  certManagerChart,
  serviceOperatorChart,
  workloadIdentityWebhookChart,
} from '../../../components/platform/vendorCharts';
import type { FieldMeta } from './fields';
import { countField, field, freeForm, list, pattern } from './fields';

const chartReference = pattern(
  new RegExp(`^(?!/|~|file:|[A-Za-z]:\\\\)[^\\s${hiddenCharacters}]+$`, 'u'),
  'Name of the chart in its repository, an OCI reference, or a path relative to the project.',
  'a name with `repository`, oci://…, or a relative path such as ./charts/reports',
);

const repository = pattern(
  // The characters of a URL (RFC 3986).
  /^https:\/\/[!-~]+$/,
  'URL of the chart repository.',
  'an https:// URL (a local helm alias is unknown on other machines)',
  2048,
);

const chartVersion = pattern(
  /^v?\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$/,
  'Version of the chart.',
  'one exact version such as 1.2.3 (a range would change without a change here)',
);

/** Fields of an application's own chart. */
export const chartFields = {
  chart: chartReference,
  repository: repository.optional(),
  version: chartVersion.optional(),
};

/** Fields of a vendor's chart; every field has a default. */
export const platformChartFields = {
  ...chartFields,
  chart: chartReference.optional(),
  replicas: countField('Number of replicas.', 1, 10).optional(),
};

/** Describes the default chart. */
export const tested = ({ version = '' }: ChartSource): string =>
  `Default: ${version}, the tested version, from the vendor's repository.`;

/** Returns the field of an optional chart: with `install: false`, it has `leftFields` only. */
export const optionalChart = <T extends z.ZodRawShape, L extends z.ZodRawShape>(
  fields: T,
  left: string,
  meta: FieldMeta,
  leftFields: L,
) =>
  field(
    z.discriminatedUnion('install', [
      z.strictObject({ install: installs(true, left).optional().default(true), ...fields }),
      z.strictObject({ install: installs(false, left), ...leftFields }),
    ]),
    meta,
  );

const installs = <T extends boolean>(value: T, left: string) =>
  field(z.literal(value), { description: left, allowed: 'true, false' });

export const certManager = optionalChart(
  platformChartFields,
  'false: cert-manager is not installed, because the clusters already have it or nothing needs it.',
  {
    description: `cert-manager's chart. ${tested(certManagerChart)}`,
    allowed: 'an object of `chart`, `repository`, `version` and `replicas`, or { install: false }',
  },
  {},
).default({ install: true });

export const serviceOperator = optionalChart(
  {
    ...platformChartFields,
    crdPattern: pattern(
      // Patterns of `group/kind`, separated by semicolons (azure-service-operator, `crdPattern` of its chart).
      /^[a-z0-9.*?-]+\/[A-Za-z0-9*?]+(;[a-z0-9.*?-]+\/[A-Za-z0-9*?]+)*$/,
      'Custom resources that the operator installs.',
      'group/kind patterns separated by semicolons, such as "resources.azure.com/*"',
      4096,
    ).optional(),
  },
  'false: the operator is not installed and gets no identity, because the clusters already have one with its own access, or nothing needs it.',
  {
    description: `Azure Service Operator's chart. ${tested(serviceOperatorChart)}`,
    allowed:
      'an object of `chart`, `repository`, `version`, `replicas` and `crdPattern`, or { install: false }',
  },
  {},
).default({ install: true });

export const workloadIdentityWebhook = optionalChart(
  platformChartFields,
  'false: the webhook is not installed, because the external clusters already have it.',
  {
    description: `Chart of the workload identity webhook, for clusters of mode external. ${tested(workloadIdentityWebhookChart)}`,
    allowed: 'an object of `chart`, `repository`, `version` and `replicas`, or { install: false }',
  },
  {},
).default({ install: true });

/** Kinds of the operator's custom resources that an application's own chart declares. */
export const chartProvisions = list(
  pattern(
    /^[a-z0-9]+(\.[a-z0-9]+)*\.azure\.com\/[A-Z]\w*$/,
    'Kind of a custom resource.',
    'group and kind, such as storage.azure.com/StorageAccount',
  ),
  "Kinds of Azure Service Operator's custom resources in the chart. The operator gets the role to provision them. Default: none.",
  'a list of kinds such as storage.azure.com/StorageAccount',
);

export const chartValues = freeForm(
  'Values of the chart. Those that the program sets for the identity take precedence.',
);
