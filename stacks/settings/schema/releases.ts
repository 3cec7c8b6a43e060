import { z } from 'zod';
import { release } from './applications';
import { field, name, pattern } from './fields';

// A release file: what is promoted of an application, reviewed in one place and shared by all environments.

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

/** The file of one application's releases, `applications/<name>.yaml`. */
export const releaseFileSchema = z.strictObject({
  name: name('application', 'Name of the application.'),
  environments: field(z.record(stackName, releaseVersion), {
    description: 'The release that each environment has, by name of the stack.',
    allowed: 'an object of versions by name of the stack, such as { dev: "1.5.0" }',
    example: '{ dev: "1.5.0" }',
  }),
  releases: field(z.record(releaseVersion, release), {
    description: 'The releases, by version.',
    allowed: 'an object of releases by version',
    example: '{ "1.5.0": { image: ghcr.io/owner/name:1.5.0 } }',
  }),
});

/** The releases of an application, and the one that each environment has. */
export type ReleaseFile = z.output<typeof releaseFileSchema>;
export type ReleaseSettings = z.output<typeof release>;
