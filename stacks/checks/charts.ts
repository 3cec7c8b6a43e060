import { serviceOperatorChart } from '../../components/platform/vendorCharts';
import { isOlder } from '../isOlder';
import { accountOf, audienceOf, customResourcesFor, kindsInChart, selects } from '../plan';
import { isInProject, type ChartReference } from '../plan/chartSource';
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
      ({ [key]: chart, readFile }) =>
        chart.install ? platformChartProblems(key, chart, readFile) : [],
  ),
  function* (input) {
    for (const application of input.applications)
      if ('chart' in application) {
        yield* chartProblems([...application.path, 'chart'], application.chart, input.readFile);
        yield* ignoredIdentityValues(application, audienceOf(input, application), input.readFile);
      }
  },

  /** Settings that custom resources in a chart need, so that their services stay in Azure and only one operator writes to them. */
  function* ({ applications, clusters, retainOnDelete }) {
    for (const application of applications) {
      if (kindsInChart(application).length === 0) continue;
      const path = [...application.path, 'chart', 'provisions', 0];
      const { namespace } = accountOf(application);
      if (!(application.retainOnDelete ?? retainOnDelete))
        yield {
          path,
          what: 'needs `retainOnDelete: true` on the application: Helm does not wait until the resources in a chart are deleted, so they stay in Azure when the release is uninstalled',
          hint: 'Set it. Before you remove the application, delete in the cluster the custom resources that Azure should delete too.',
        };
      if (application.namespace?.existing === true)
        yield {
          path,
          what: `is not possible in the existing namespace "${namespace}": the stack cannot wait for its deletion, which the operator's finalizers would block`,
          allowed: 'a namespace that the stack creates',
          hint: 'Set another `namespace`.',
        };
      const other = applications.find(
        (candidate) => candidate.name !== application.name && accountOf(candidate).namespace === namespace,
      );
      if (other !== undefined)
        yield {
          path,
          what: `is not possible in the namespace "${namespace}", which ${other.name} uses too`,
          allowed: 'a namespace of its own',
          hint: 'Set another `namespace`.',
        };
      const count = clusters.filter((cluster) => selects(application.clusters, cluster)).length;
      if (count > 1 && 'chart' in application && application.overrides.length === 0)
        yield {
          path,
          what: `would have the operators of ${count} clusters write to the same services`,
          allowed: 'one cluster, or `overrides` with different names in Azure',
          hint: 'Name one cluster in `clusters`, or give the chart different values on each cluster.',
        };
    }
  },

  /** An older operator does not know the API versions of the custom resources of dependencies. */
  function* ({ serviceOperator, applications }) {
    if (
      !serviceOperator.install ||
      applications.every((application) => customResourcesFor(application).length === 0)
    )
      return;
    const { version, chart = serviceOperatorChart.chart } = serviceOperator;
    // Another chart has its own versions.
    if (version === undefined || chart !== serviceOperatorChart.chart) return;
    if (isOlder(version, lowestOperator))
      yield {
        path: ['serviceOperator', 'version'],
        what: 'lacks some of the custom resources that `dependencies` need',
        allowed: `${lowestOperator} or later`,
        hint: 'Set one of these, or remove it to get the tested version.',
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
          what: 'has no effect where the stack does not install the operator (`serviceOperator.install: false`)',
          allowed: 'only with an operator that the stack installs',
          hint: 'Remove it. The owner of the operator grants its rights.',
        };
  },
];

/**
 * Yields problems of a platform chart. Charts in `.state/charts` are created on first use, and `.state` may be outside the
 * project, so their files are not looked up. Any other chart file is in the project.
 */
function platformChartProblems(key: string, source: ChartReference, readFile: ReadFile | undefined) {
  const isBuilt = source.chart !== undefined && /^(\.\/+)*(\.state|\.\.)\/(.*\/)?charts\//.test(source.chart);
  return chartProblems([key], source, isBuilt ? undefined : readFile);
}

/**
 * Yields problems of a reference to a chart. It is a file in the project, an OCI reference or a name in a repository, and each
 * form allows different keys beside it.
 */
function* chartProblems(
  path: Path,
  { chart, repository, version }: ChartReference,
  readFile: ReadFile | undefined,
): Generator<Problem> {
  const isOci = chart?.startsWith('oci://') === true;
  const isFile = chart !== undefined && isInProject(chart);
  const files = isFile ? [chart, `${chart}/Chart.yaml`] : [];
  if (isFile && readFile !== undefined && files.every((file) => readFile(file) === undefined))
    yield {
      path: [...path, 'chart'],
      what: 'is not a chart in the project',
      allowed:
        'a folder with a Chart.yaml, or a packaged chart, in the project; symbolic links may not lead out of it',
      hint: 'Add the chart, or correct the path, which is relative to the project.',
    };
  if (repository !== undefined && (isFile || isOci))
    yield {
      path: [...path, 'repository'],
      what: `has no effect with the chart "${chart}", which is ${isFile ? 'a file' : 'an OCI reference'}`,
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
      hint: 'Add it: without a version, Helm installs the newest chart.',
    };
}
