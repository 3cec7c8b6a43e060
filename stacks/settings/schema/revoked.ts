import { z } from 'zod';
import { field, name, object, record } from './fields';

const reason = field(z.string().min(1).max(500), {
  description: 'Why, and since when, for whoever reads the file.',
  allowed: 'a text of 1 to 500 characters',
});

const revokedBy = (key: z.ZodType<string, string>, description: string, of: string) =>
  record(key, reason, description, `an object of reasons by name of the ${of}`).default({});

/** What may no longer sign in and read. */
export const revoked = object(
  'What may no longer sign in and read; `aks-wi revoke` writes it too. The workloads stay as they are. Default: nothing.',
  {
    applications: revokedBy(
      name('application', 'Name of an application.'),
      'Applications, on each of their clusters.',
      'application',
    ),
    clusters: revokedBy(
      name('application', 'Name of a cluster.'),
      "Clusters: every identity of their applications, and the service operator's.",
      'cluster',
    ),
    identities: revokedBy(
      z.string(),
      'Identities that applications run as, by their names in Azure.',
      'identity',
    ),
  },
).optional();
