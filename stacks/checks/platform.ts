import type { Problem } from '../settings/problem';
import type { Check } from './context';

const charts = ['certManager', 'serviceOperator'] as const;

/** What is not installed has no chart, and nothing that a chart is installed with. */
export const notInstalled: Check = ({ settings, clusterPath, broken }) => [
  ...charts.flatMap((key): Problem[] => {
    const { install, ...others } = settings[key];
    if (install || broken.has(key)) return [];
    return Object.entries(others).flatMap(([name, value]) =>
      (value as string | number | undefined) === undefined
        ? []
        : [
            {
              path: [key, name],
              value: JSON.stringify(value),
              what: `has no meaning beside \`install: false\``,
              allowed: 'nothing else, where it is not installed',
              remedy: `Remove it, or \`install: false\`.`,
            },
          ],
    );
  }),
  ...(settings.serviceOperator.install || broken.has('serviceOperator')
    ? []
    : settings.clusters.flatMap(({ operatorIdentity }, index): Problem[] =>
        operatorIdentity === undefined
          ? []
          : [
              {
                path: [...clusterPath(index), 'operatorIdentity'],
                value: JSON.stringify(operatorIdentity.existing),
                what: 'has no meaning where the operator is not installed (`serviceOperator.install: false`)',
                allowed: 'only with the operator installed here',
                remedy: 'Remove it: the rights of the operator are the matter of who installs it.',
              },
            ],
      )),
];
