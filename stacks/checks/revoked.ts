import { nearest } from '../settings/nearest';
import type { Check } from './context';

/** Revoked names must exist in the stack: under a misspelt name, nothing would lose its access. */
export const revokedChecks: readonly Check[] = [
  function* ({ plan, revoked, applications }) {
    if (revoked === undefined) return;
    const known = {
      applications: applications.map(({ name }) => name),
      clusters: plan.clusters.map(({ settings }) => settings.name),
      identities: plan.clusters
        .flatMap(({ identities }) => identities)
        .map(({ existing, azureName }) => existing?.name ?? azureName),
    };
    const nouns = {
      applications: 'an application',
      clusters: 'a cluster',
      identities: 'an identity of applications',
    };
    for (const kind of ['applications', 'clusters', 'identities'] as const)
      for (const name of Object.keys(revoked[kind])) {
        if (known[kind].includes(name)) continue;
        const near = nearest(name, known[kind]);
        yield {
          path: ['revoked', kind, name],
          value: JSON.stringify(name),
          what: `is not ${nouns[kind]} of this stack`,
          allowed: known[kind].join(', ') || 'none: there are none',
          hint: `${near === undefined ? '' : `Did you mean ${near}? `}Correct the name, or remove it: the stack grants access only to what the stack file names.`,
        };
      }
  },
];
