import type * as z from 'zod';
import { guidPattern } from '../../../components/azure/guid';
import { scopeForms } from '../../../components/azure/scope';
import { hiddenCharacters } from '../../../components/resource/visibleText';
import { choice, line, list, object, pattern, segment } from './fields';

const subscriptions = '/[sS]ubscriptions/';
const groups = `/[rR]esource[gG]roups/${segment('resourceGroup')}`;
const managementGroups = '/providers/[mM]icrosoft\\.[mM]anagement/management[gG]roups/[\\w().-]{1,90}';
// Resources of any type, without the characters that Azure refuses in the names of all of them (azure-docs
// resource-name-rules.md), and without segments and characters that `scopeKind` refuses.
const named = `(?! )(?!\\.\\.?(?:/|$))[^/<>%&?*#\\\\${hiddenCharacters}]{1,260}(?<! )`;
const resource = `(?:/providers/[A-Za-z0-9.]+(?:/[A-Za-z0-9.]+/${named})+)+`;

/** Ids of scopes on which a role can be assigned, in subscriptions whose id is a GUID, not a placeholder. */
const scope = pattern(
  new RegExp(`^(?:${subscriptions}${guidPattern}(?:${groups}(?:${resource})?)?|${managementGroups})$`, 'u'),
  'Scope of the role: this resource and everything in it.',
  scopeForms,
  2048,
);

const role = object('A role at a scope.', {
  role: line(
    300,
    'Name of a well-known built-in role, or the id or GUID of any other role definition, including a custom one.',
    'the name of a role, such as Storage Blob Data Reader, or its role definition id',
  ),
  scope,
  scopeWiderThanResource: choice(
    ['accepted'],
    'Consent to a role on a resource group, a subscription or a management group: it covers every resource in it, including those that others add later. Required for such a scope, and only for such a scope.',
  ).optional(),
});

/** @param description which principals have the roles, and when */
export const roles = (description: string) =>
  list(role, description, 'a list of objects with `role` and `scope`').default([]);

export type RoleSettings = z.output<typeof role>;
