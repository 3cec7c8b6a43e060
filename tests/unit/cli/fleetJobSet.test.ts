// The manifest of a rollout. It does not prove that JobSet accepts it, which tests/e2e/fleetJobSet.test.ts does.
import { stringify } from 'yaml';
import { jobSetOf } from '../../../cli/fleet/jobset';
import { reviewed } from '../support/reviewed';

const shows = reviewed(__filename);

shows('a rollout of three waves', () =>
  stringify(
    jobSetOf({
      name: 'rollout-4f2a9c1',
      namespace: 'fleet',
      environment: 'prod',
      commit: '4f2a9c1d8e7b6a5f4e3d2c1b0a9f8e7d6c5b4a39',
      waves: [
        { name: 'canary', cells: ['prod-we-01'], parallelism: 1 },
        { name: 'early', cells: ['prod-we-02', 'prod-ne-01'], parallelism: 2 },
        { name: 'rest', cells: ['prod-ne-02', 'prod-us-01', 'prod-us-02'], parallelism: 2 },
      ],
      image: 'ghcr.io/aks-workload-identity/fleet:0.1.0',
      serviceAccount: 'fleet',
      command: ['aks-wi', 'pipeline', 'cell'],
      env: { PULUMI_BACKEND_URL: 'azblob://state' },
    }),
    { lineWidth: 0, aliasDuplicateObjects: false },
  ),
);
