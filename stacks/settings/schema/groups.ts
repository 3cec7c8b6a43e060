import * as z from 'zod';
import { secretName } from './applications';
import { roles } from './roles';
import { choice, field, guidField, list, name, retainOnDelete } from './fields';

/** How long a removal from a group takes. */
export const slowRemoval =
  'a removal from a group takes effect only with the next token, up to 24 hours later';

/** An Entra group, created or existing. */
export const group = field(
  z.strictObject({
    name: name('application', 'Name of the group in this file.'),
    existing: guidField(
      'Object id of an existing security group. The identities become members; the group is not changed otherwise and never deleted. Default: a new group.',
    ).optional(),
    secrets: list(
      secretName,
      'Names of the secrets in the central vault that its members may read.',
      'a list of names',
    ).default([]),
    roles: roles('Roles of its members on any Azure resource.'),
    unknownMembers: choice(
      ['accepted'],
      'Consent to `secrets` or `roles` of an existing group that has no application of the stack: the stack does not know its members. Required for such a group, and only for such a group.',
    ).optional(),
    retainOnDelete: retainOnDelete('groups that the stack creates').optional(),
  }),
  { description: 'A group in Entra.', allowed: 'an object with at least `name`' },
);
