import { serviceOperatorChart } from '../../components/platform/vendorCharts';
import { accountOf, audienceOf, customResourcesFor, kindsInChart, selects } from '../plan';
import { isInProject, type GivenChart } from '../plan/chartSource';
import type { Path, Problem } from '../settings/problem';
import type { ReadFile } from '../settings/projectFiles';
import { ignoredIdentityValues } from './chartTemplates';
import type { Check } from './context';

/** The lowest version that is known to have all custom resources of dependencies; not all of 2.14 to 2.17 were checked. */
const lowestOperator = '2.18.0';

const platformCharts = ['certManager', 'serviceOperator', 'workloadIdentityWebhook'] as const;

export const chartChecks: readonly Check[] = [
  ...platformCharts.map(
    (key): Check =>
      ({ [key]: given, readFile }) =>
        given.install ? platformChartProblems(key, given, readFile) : [],
  ),
  function* (given) {
    for (const application of given.applications)
      if ('chart' in application) {
        yield* chartProblems([...application.path, 'chart'], application.chart, given.readFile);
        yield* ignoredIdentityValues(application, audienceOf(given, application), given.readFile);
      }
  },

  /** What custom resources in a chart need, so that their services stay in Azure and only one operator writes to them. */
  function* ({ applications, clusters, retainOnDelete }) {
    for (const application of applications) {
      if (kindsInChart(application).length === 0) continue;
      const path = [...application.path, 'chart', 'provisions', 0];
      const { namespace } = accountOf(application);
      if (!(application.retainOnDelete ?? retainOnDelete))
        yield {
          path,
          what: 'needs `retainOnDelete: true` of the application: what a chart declares stays in Azure when its release is uninstalled, since Helm does not wait for its deletion',
          hint: 'Set that; and before the application is taken out, delete in the cluster what is to go in Azure.',
        };
      if (application.namespace?.existing === true)
        yield {
          path,
          what: `is not possible in the namespace "${namespace}", which exists: its end could not be waited for, and the operator would keep it from ending`,
          allowed: 'a namespace that the stack makes',
          hint: 'Set another `namespace`.',
        };
      const other = applications.find(
        (one) => one.name !== application.name && accountOf(one).namespace === namespace,
      );
      if (other !== undefined)
        yield {
          path,
          what: `is not possible in the namespace "${namespace}", which ${other.name} has too`,
          allowed: 'a namespace of its own',
          hint: 'Set another `namespace`.',
        };
      const count = clusters.filter((cluster) => selects(application.clusters, cluster)).length;
      if (count > 1 && 'chart' in application && application.overrides.length === 0)
        yield {
          path,
          what: `would have the operators of ${count} clusters write to the same services`,
          allowed: 'one cluster, or `overrides` with other names in Azure',
          hint: 'Name one cluster in `clusters`, or give the chart other values on the others.',
        };
    }
  },

  /** An older operator does not know the API versions of the custom resources of dependencies. */
  function* ({ serviceOperator, applications }) {
    if (!serviceOperator.install || applications.every((one) => customResourcesFor(one).length === 0)) return;
    const { version, chart = serviceOperatorChart.chart } = serviceOperator;
    // Another chart has its own versions.
    if (version === undefined || chart !== serviceOperatorChart.chart) return;
    if (version.replace(/^v/, '').localeCompare(lowestOperator, 'en', { numeric: true }) < 0)
      yield {
        path: ['serviceOperator', 'version'],
        what: 'has not all the custom resources that `dependencies` are made of',
        allowed: `${lowestOperator} or a newer one`,
        hint: 'Set it, or leave it out for the version that is tested.',
      };
  },

  function* ({ serviceOperator, clusters }) {
    for (const { path, operatorIdentity } of clusters)
      if (operatorIdentity !== undefined && !serviceOperator.install)
        yield {
          path: [
            ...path,
            'operatorIdentity',
            ...(typeof operatorIdentity === 'object' ? Object.keys(operatorIdentity) : []),
          ],
          what: 'has no meaning where the operator is not installed (`serviceOperator.install: false`)',
          allowed: 'only with the operator installed here',
          hint: 'Remove it: whoever installs the operator gives it its rights.',
        };
  },
];

/**
 * Yields problems of a platform chart. Charts in `.state/charts` are created on first use, and `.state` may be outside the
 * project, so their files are not looked up. Any other chart file is in the project.
 */
function platformChartProblems(key: string, given: GivenChart, readFile: ReadFile | undefined) {
  const isMade = given.chart !== undefined && /^(\.\/+)*(\.state|\.\.)\/(.*\/)?charts\//.test(given.chart);
  return chartProblems([key], given, isMade ? undefined : readFile);
}

/**
 * Yields problems of a reference to a chart. It is a file in the project, an OCI reference or a name in a repository, and each
 * form allows different keys beside it.
 */
function* chartProblems(
  path: Path,
  { chart, repository, version }: GivenChart,
  readFile: ReadFile | undefined,
): Generator<Problem> {
  const isOci = chart?.startsWith('oci://') === true;
  const isFile = chart !== undefined && isInProject(chart);
  const files = isFile ? [chart, `${chart}/Chart.yaml`] : [];
  if (isFile && readFile !== undefined && files.every((file) => readFile(file) === undefined))
    yield {
      path: [...path, 'chart'],
      what: 'is no chart of the project',
      allowed:
        'a folder with a Chart.yaml or a packed chart, in the project; a symbolic link may not lead out of it',
      hint: 'Put it there, or correct this path, which is relative to the project.',
    };
  if (repository !== undefined && (isFile || isOci))
    yield {
      path: [...path, 'repository'],
      what: `has no meaning beside the chart "${chart}", which is ${isFile ? 'a file' : 'an OCI reference'}`,
      hint: 'Remove it.',
    };
  if (repository === undefined && chart !== undefined && !isFile && !isOci)
    yield {
      path: [...path, 'repository'],
      what: `is missing: "${chart}" is neither a path nor an OCI reference`,
      allowed: 'an https:// URL',
      hint: 'Add it, or write ./ before a path.',
    };
  const isVendors = chart === undefined && repository === undefined;
  if (version === undefined && !isVendors && !isFile)
    yield {
      path: [...path, 'version'],
      what: 'is missing',
      allowed: 'one exact version such as 1.2.3',
      hint: 'Add it: without it, the newest chart of the day would be installed.',
    };
}
