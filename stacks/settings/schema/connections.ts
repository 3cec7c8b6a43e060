import { object, reconcilerFields } from './fields';

/** The connection writer, which keeps connection strings current. */
export const connections = object(
  'The connection writer, which updates the connection strings of dependencies with `connection: vault` when a key changes.',
  reconcilerFields(
    'Seconds between two checks of the keys: the longest delay before a changed key reaches the vault.',
  ),
).optional();
