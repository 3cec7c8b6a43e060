import type { Check } from './context';
import { check, sameTexts } from './context';

export const applicationChecks: readonly Check[] = [
  check([], function* ({ applications }) {
    for (const { path, secrets, clusters, serviceAccounts } of applications) {
      // Clusters may also be chosen by their labels.
      const lists = { secrets, serviceAccounts, clusters: Array.isArray(clusters) ? clusters : [] };
      for (const [key, list] of Object.entries(lists)) yield* sameTexts([...path, key], list);
    }
  }),
];
