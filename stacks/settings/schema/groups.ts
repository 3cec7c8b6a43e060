import { z } from 'zod';
import { secretName } from './applications';
import { roles } from './roles';
import { choice, field, guidField, list, name, retainOnDelete } from './fields';

/** A group of Entra, made or existing. */
export const group = field(
  z.strictObject({
    name: name('application', 'Name of the group in this file.'),
    existing: guidField(
      'Object id of a security group that exists: the identities become members, and it is never changed otherwise and never deleted. Default: a group is made.',
    ).optional(),
    secrets: list(
      secretName,
      'Names of the secrets in the central vault that its members may read.',
      'a list of names',
    ).default([]),
    roles: roles('Roles that its members have on anything in Azure.'),
    unknownMembers: choice(
      ['accepted'],
      'Consent to an existing group that has `secrets` or `roles` and no application of the stack in it: they are for members that the stack does not know. Required there, and only there.',
    ).optional(),
    retainOnDelete: retainOnDelete('groups that are made').optional(),
  }),
  { description: 'A group of Entra.', allowed: 'an object with at least `name`' },
);
