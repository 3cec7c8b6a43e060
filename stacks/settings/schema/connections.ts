import { object, reconcilerFields } from './fields';

/** The connection writer, which keeps connection strings current. */
export const connections = object(
  'What writes the connection strings of dependencies with `connection: vault` again when a key has changed.',
  reconcilerFields('Seconds between two looks at the keys: by so much a changed key is in the vault late.'),
).optional();
