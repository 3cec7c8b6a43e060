import { z } from 'zod';
import { field } from './fields';

const chartReference = field(
  // An absolute path would be another on the next machine, and show a difference at every update.
  z.string().regex(/^(?!\/|~|file:|[A-Za-z]:\\)\S+$/),
  {
    description: 'Name of the chart in its repository, an OCI reference, or a path relative to the project.',
    allowed: 'a name with `repository`, oci://…, or a relative path such as ./charts/reports',
  },
);

const repository = field(z.string().regex(/^https:\/\/\S+$/), {
  description: 'URL of the chart repository.',
  allowed: 'an https:// URL (an alias of a local helm is not known on the next machine)',
});

const version = field(z.string().regex(/^v?\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$/), {
  description: 'Version of the chart.',
  allowed: 'one exact version such as 1.2.3 (a range would change without a change here)',
});

/** An owner's chart. */
export const chartFields = {
  chart: chartReference,
  repository: repository.optional(),
  version: version.optional(),
};

/** A vendor's chart, of which everything has a default. */
export const platformChart = {
  chart: chartReference.optional(),
  repository: repository.optional(),
  version: version.optional(),
};

export const chartValues = field(z.record(z.string(), z.unknown()), {
  description: "Values of the owner's; the identity's win over them.",
  allowed: 'an object',
});
