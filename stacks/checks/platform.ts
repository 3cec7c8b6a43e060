import { check } from './context';

export const notInstalled = check(['serviceOperator'], ({ serviceOperator, clusters }, { clusterPath }) =>
  clusters.flatMap(({ operatorIdentity }, index) =>
    operatorIdentity === undefined || serviceOperator.install
      ? []
      : [
          {
            path: [...clusterPath(index), 'operatorIdentity'],
            value: JSON.stringify(operatorIdentity.existing.id),
            what: 'has no meaning where the operator is not installed (`serviceOperator.install: false`)',
            allowed: 'only with the operator installed here',
            remedy: 'Remove it: the rights of the operator are the matter of who installs it.',
          },
        ],
  ),
);
