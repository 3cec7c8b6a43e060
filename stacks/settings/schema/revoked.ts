import type * as z from 'zod';
import { line, name, object, record } from './fields';

const reason = line(500, 'Reason and date, for readers of the file.');

const revokedBy = (key: z.ZodType<string, string>, description: string, of: string) =>
  record(key, reason, description, `an object of reasons by name of the ${of}`).default({});

/** Names of what may no longer sign in or read. */
export const revoked = object(
  'Applications, clusters and identities whose access is revoked; `aks-wi revoke` also writes entries. The workloads stay as they are. Default: none.',
  {
    applications: revokedBy(
      name('application', 'Name of an application.'),
      'Applications, on all of their clusters.',
      'application',
    ),
    clusters: revokedBy(
      name('application', 'Name of a cluster.'),
      "Clusters: every identity of their applications, and the service operator's.",
      'cluster',
    ),
    identities: revokedBy(
      name('userAssignedIdentity', 'Name of an identity.'),
      'Identities that applications run as, by their names in Azure.',
      'identity',
    ),
  },
).optional();
