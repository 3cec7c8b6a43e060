import { serviceOperatorChart } from '../../components/platform/vendorCharts';
import type { GivenChart } from '../plan/chartSource';
import type { Path, Problem } from '../settings/problem';
import { check } from './context';

/** Whether the reference is a file of the project: `./charts/x`, `charts/x`, `x.tgz`. */
function isPath(chart: string): boolean {
  return !chart.startsWith('oci://') && (chart.includes('/') || chart.endsWith('.tgz'));
}

function chartProblems(path: Path, given: GivenChart): Problem[] {
  const { chart, repository, version } = given;
  if (chart !== undefined && repository !== undefined && (isPath(chart) || chart.startsWith('oci://'))) {
    return [
      {
        path: [...path, 'repository'],
        what: `has no meaning beside the chart "${chart}", which is ${isPath(chart) ? 'a file' : 'an OCI reference'}`,
        remedy: 'Remove it.',
      },
    ];
  }
  if (chart !== undefined && isPath(chart)) return [];
  const vendors = chart === undefined && repository === undefined;
  return [
    ...(chart !== undefined && repository === undefined && !chart.startsWith('oci://')
      ? [
          {
            path: [...path, 'repository'],
            what: `is missing: "${chart}" is neither a path nor an OCI reference`,
            allowed: 'an https:// URL',
            remedy: 'Add it, or write ./ before a path.',
          },
        ]
      : []),
    ...(version === undefined && !vendors
      ? [
          {
            path: [...path, 'version'],
            what: 'is missing',
            allowed: 'one exact version such as 1.2.3',
            remedy: 'Add it: without it, the newest chart of the day would be installed.',
          },
        ]
      : []),
  ];
}

/** The first whose custom resources there are of all that a dependency can be; of 2.14 to 2.17, not all were looked at. */
const lowestOperator = '2.18.0';

/** An operator that is older does not know the versions of the custom resources that dependencies are made of. */
export const operatorVersion = check(['serviceOperator'], ({ serviceOperator, applications }) => {
  if (!serviceOperator.install) return [];
  const { version, chart } = serviceOperator;
  // A chart of one's own has versions of its own.
  if (version === undefined || (chart !== undefined && chart !== serviceOperatorChart.chart)) return [];
  const isOlder = version.replace(/^v/, '').localeCompare(lowestOperator, 'en', { numeric: true }) < 0;
  if (!isOlder || !applications.some(({ dependencies }) => dependencies.length > 0)) return [];
  return [
    {
      path: ['serviceOperator', 'version'],
      value: JSON.stringify(version),
      what: 'has not all the custom resources that `dependencies` are made of',
      allowed: `${lowestOperator} or a newer one`,
      remedy: 'Set it, or leave it out for the version that is tested.',
    },
  ];
});

export const charts = [
  check(['certManager'], ({ certManager }) =>
    certManager.install ? chartProblems(['certManager'], certManager) : [],
  ),
  check(['workloadIdentityWebhook'], ({ workloadIdentityWebhook }) =>
    chartProblems(['workloadIdentityWebhook'], workloadIdentityWebhook),
  ),
  check(['serviceOperator'], ({ serviceOperator }) =>
    serviceOperator.install ? chartProblems(['serviceOperator'], serviceOperator) : [],
  ),
  check([], ({ applications }, { applicationPath }) =>
    applications.flatMap((application, index) =>
      'chart' in application ? chartProblems([...applicationPath(index), 'chart'], application.chart) : [],
    ),
  ),
];
