import { z } from 'zod';
import { isValidName, nameRule, type NamedType } from '../components/azure/naming';
import { builtInRoles, roleGuidOf, rolesGivingAccess, type BuiltInRole } from '../components/azure/roles';
import { PipelineAccess } from '../components/identity/pipelineIdentity';
import { VisibleError } from '../components/resource/errors';

const named = (type: NamedType) =>
  z.string().refine((name) => isValidName(type, name), `Allowed: ${nameRule(type).allowed}.`);
const text = z.string().min(1);
const id = z.int().positive();
const role = z.enum(Object.keys(builtInRoles) as [BuiltInRole, ...BuiltInRole[]]);

/** A role that the components assign, or any other, in the form that `roles` of an application has. */
const assignable = z
  .string()
  .transform((given) => (isBuiltIn(given) ? builtInRoles[given] : (roleGuidOf(given) ?? '')))
  .refine(
    (guid) => guid !== '' && !(guid in rolesGivingAccess),
    `Allowed: ${Object.keys(builtInRoles)
      .filter((one) => one !== 'rbacAdministrator')
      .join(
        ', ',
      )}, the name of a well-known built-in role, or the id of any other; none with which access can be given.`,
  );
const isBuiltIn = (given: string): given is BuiltInRole => Object.hasOwn(builtInRoles, given);

const trust = z
  .strictObject({
    name: named('federatedIdentityCredential'),
    gitHub: z
      .strictObject({
        repository: z.string().regex(/^[\w.-]+\/[\w.-]+$/, 'Allowed: owner/name.'),
        ids: z.strictObject({ owner: id, repository: id }).optional(),
        environment: text.optional(),
        issuer: z.url({ protocol: /^https$/ }).optional(),
      })
      .optional(),
    serviceConnection: z
      .strictObject({ issuer: z.url({ protocol: /^https$/ }), subject: text.max(600) })
      .optional(),
  })
  .refine(
    ({ gitHub, serviceConnection }) => (gitHub === undefined) !== (serviceConnection === undefined),
    'Allowed: exactly one of gitHub, serviceConnection.',
  );

const settings = z.strictObject({
  location: text,
  resourceGroup: named('resourceGroup'),
  tags: z.record(z.string(), z.string()).default({}),
  identities: z
    .array(
      z.strictObject({
        name: named('userAssignedIdentity'),
        access: z.enum(PipelineAccess).default(PipelineAccess.Deploy),
        resourceGroups: z.array(named('resourceGroup')).min(1),
        trusts: z.array(trust).min(1),
        assignableRoles: z.array(assignable).optional(),
        assignableToGroups: z.boolean().default(false),
        roles: z
          .array(
            z.strictObject({
              role: role.exclude(['rbacAdministrator']),
              scope: z.string().regex(/^\/subscriptions\/[^/]+(\/.+)?$/, 'Allowed: /subscriptions/<id>/….'),
            }),
          )
          .default([]),
      }),
    )
    .min(1),
});

/** What the stack file of `bootstrap/` says. */
export type BootstrapSettings = z.infer<typeof settings>;

const project = 'aks-workload-identity-bootstrap';

/** The settings of a stack. @throws with all that is wrong, each with its place */
export function readSettings(
  stack: string,
  config: Readonly<Record<string, string | undefined>>,
): BootstrapSettings {
  const given = Object.entries(config).flatMap(([key, value = '']) => {
    const [namespace, name = ''] = key.split(':');
    return namespace === project ? [[name, parsed(value)] as const] : [];
  });
  const result = settings.safeParse(Object.fromEntries(given));
  if (result.success) return result.data;
  const lines = result.error.issues.map(({ path, message }) => {
    const [key = '', ...rest] = path;
    const place = rest.map((one) => (typeof one === 'number' ? `[${one}]` : `.${String(one)}`)).join('');
    return `  ${project}:${String(key)}${place}: ${message}`;
  });
  throw new VisibleError(
    `Pulumi.${stack}.yaml has ${lines.length} errors; nothing was changed.\n${lines.join('\n')}`,
  );
}

/** The engine hands on lists and objects as JSON, and texts as they are. */
function parsed(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
