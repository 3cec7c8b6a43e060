import { countField, imagePattern, object, pattern } from './fields';

/** What keeps connection strings current. */
export const connections = object(
  'What writes the connection strings of dependencies with `connection: vault` again when a key has changed.',
  {
    intervalSeconds: countField(
      'Seconds between two looks at the keys: by so much a changed key is in the vault late. Default: 60.',
      5,
      60,
    ).optional(),
    image: pattern(
      imagePattern,
      "Image with Node.js 20 or later that runs its program, for clusters that pull from a registry of their own. Default: Node.js' own image.",
      'an image reference with a tag or a digest',
    ).optional(),
  },
).optional();
