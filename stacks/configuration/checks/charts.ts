import type { GivenChart } from '../../cluster/chartSource';
import type { Path, Problem } from '../problem';
import type { Check } from './context';

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

export const charts: Check = ({ settings, applicationPath, broken }) => [
  ...(broken.has('certManager') || !settings.certManager.install
    ? []
    : chartProblems(['certManager'], settings.certManager)),
  ...(broken.has('workloadIdentityWebhook')
    ? []
    : chartProblems(['workloadIdentityWebhook'], settings.workloadIdentityWebhook)),
  ...(broken.has('serviceOperator') || !settings.serviceOperator.install
    ? []
    : chartProblems(['serviceOperator'], settings.serviceOperator)),
  ...settings.applications.flatMap(({ chart }, index) =>
    chart === undefined ? [] : chartProblems([...applicationPath(index), 'chart'], chart),
  ),
];
