import * as z from 'zod';
import { application, release } from './applications';
import { field, name, pattern } from './fields';
import { hostedCluster, hostedClusterName, hostedClusterRelease } from './hostedClusters';

// A release file contains what is promoted of an application or of a hosted cluster. It is reviewed in one place and shared by
// all environments.

const releaseVersion = pattern(
  /^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$/,
  'Version of a release.',
  'a version of three numbers in quotes, such as "1.5.0" or "1.5.0-rc.1"',
);

const stackName = pattern(
  /^[A-Za-z0-9][\w.-]{0,99}$/,
  'Name of a stack.',
  'the name of a stack, such as dev',
);

export type ReleaseSettings = z.output<typeof release> | z.output<typeof hostedClusterRelease>;

const releaseFile = (of: z.ZodType<string>, releaseSchema: z.ZodType<ReleaseSettings>, example: string) =>
  z.strictObject({
    name: of,
    environments: field(z.record(stackName, releaseVersion), {
      description: 'The release that each environment has, by name of the stack.',
      allowed: 'an object of versions by name of the stack, such as { dev: "1.5.0" }',
      example: '{ dev: "1.5.0" }',
    }),
    releases: field(z.record(releaseVersion, releaseSchema), {
      description: 'The releases, by version.',
      allowed: 'an object of releases by version',
      example: `{ "1.5.0": { ${example} } }`,
    }),
  });

/** The releases of an application or of a hosted cluster, and the one that each environment has. */
export type ReleaseFile = z.output<ReturnType<typeof releaseFile>>;

/**
 * The lists of the stack file whose entries may have a release file. For each: the noun for an entry, the schema of an entry
 * that may have one, the schema of the file, and the settings that move there.
 */
export const releasable = {
  applications: {
    noun: 'application',
    entry: application,
    file: releaseFile(
      name('application', 'Name of the application.'),
      release,
      'image: ghcr.io/owner/name:1.5.0',
    ),
    content: 'its `image` or `chart` and its `secrets`',
  },
  hostedClusters: {
    noun: 'hosted cluster',
    entry: hostedCluster,
    file: releaseFile(
      hostedClusterName,
      hostedClusterRelease,
      'spec: { release: { image: quay.io/owner/name:4.19.2 } }',
    ),
    content: 'its `spec`',
  },
};
export type ReleasedList = keyof typeof releasable;
export const releasedLists = Object.keys(releasable) as ReleasedList[];
