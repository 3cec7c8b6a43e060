import * as z from 'zod';
import { clusterSelection, countField, field, pattern } from './fields';

/** A cell: a part of the environment's clusters with a stack of its own. */
export const cell = field(
  z.strictObject({
    name: pattern(
      /^[a-z0-9]([a-z0-9-]{0,30}[a-z0-9])?$/,
      'Name of the cell. The name of its stack is `<environment>-<cell>`.',
      '1 to 32 lower-case letters, digits and hyphens, starting and ending with a letter or digit',
      32,
    ),
    wave: countField(
      'Wave in which a rollout updates the cell. A wave begins when every cell of the previous wave is deployed and verified. Default: 1.',
      1,
      100,
    ).default(1),
    clusters: clusterSelection('Clusters of the cell, by name or by labels.'),
  }),
  { description: 'A cell.', allowed: 'an object with at least `name` and `clusters`' },
);
