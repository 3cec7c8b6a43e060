import * as z from 'zod';
import { isValidName, nameRule, type NamedType } from '../components/azure/naming';
import { builtInRoles, roleGuidOf, rolesGivingAccess, type BuiltInRole } from '../components/azure/roles';
import { PipelineAccess } from '../components/identity/pipelineIdentity';
import { UserError } from '../components/resource/errors';

const named = (type: NamedType) =>
  z.string().refine((name) => isValidName(type, name), `Allowed: ${nameRule(type).allowed}.`);
const nonEmptyString = z.string().min(1);
const id = z.int().positive();
const role = z.enum(Object.keys(builtInRoles) as [BuiltInRole, ...BuiltInRole[]]);

/** A role in the form of an application's `roles`, or by its key in the components. */
const assignable = z
  .string()
  .transform((name) => (isBuiltIn(name) ? builtInRoles[name] : (roleGuidOf(name) ?? '')))
  .refine(
    (guid) => guid !== '' && !(guid in rolesGivingAccess),
    `Allowed: ${Object.keys(builtInRoles)
      .filter((name) => name !== 'rbacAdministrator')
      .join(
        ', ',
      )}, the name of a well-known built-in role, or the id of any other role, except roles that can give access.`,
  );
const isBuiltIn = (name: string): name is BuiltInRole => Object.hasOwn(builtInRoles, name);

/** The message for a placeholder of the example: the owner of that name would get the rights of the pipeline. */
const placeholder =
  (what: string) =>
  ({ input }: { input?: unknown }): string =>
    `${JSON.stringify(input)} is a placeholder. Set ${what}, or remove the trust.`;

const trust = z
  .strictObject({
    name: named('federatedIdentityCredential'),
    gitHub: z
      .strictObject({
        repository: z
          .string()
          .regex(/^[\w.-]+\/[\w.-]+$/, 'Allowed: owner/name.')
          .refine((repository) => !/^owner\/name$/i.test(repository), {
            error: placeholder('your repository, as GitHub shows it'),
          }),
        ids: z.strictObject({ owner: id, repository: id }).optional(),
        environment: nonEmptyString.optional(),
        issuer: z.url({ protocol: /^https$/ }).optional(),
      })
      .optional(),
    serviceConnection: z
      .strictObject({
        issuer: z.url({ protocol: /^https$/ }),
        subject: nonEmptyString.max(600).refine((subject) => !/(^|-)edit-me(-|$)/i.test(subject), {
          error: placeholder('the subject that the service connection shows'),
        }),
      })
      .optional(),
  })
  .refine(
    ({ gitHub, serviceConnection }) => (gitHub === undefined) !== (serviceConnection === undefined),
    'Allowed: exactly one of gitHub, serviceConnection.',
  );

const settings = z.strictObject({
  location: nonEmptyString,
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

/** Settings in the stack file of `bootstrap/`. */
export type BootstrapSettings = z.infer<typeof settings>;

const project = 'aks-workload-identity-bootstrap';

/** Reads the settings of a stack. @throws UserError with all problems and their places */
export function readSettings(
  stack: string,
  config: Readonly<Record<string, string | undefined>>,
): BootstrapSettings {
  const entries = Object.entries(config).flatMap(([key, value = '']) => {
    const [namespace, name = ''] = key.split(':');
    return namespace === project ? [[name, parsed(value)] as const] : [];
  });
  const result = settings.safeParse(Object.fromEntries(entries));
  if (result.success) return result.data;
  const lines = result.error.issues.map(({ path, message }) => {
    const [key = '', ...rest] = path;
    const place = rest.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('');
    return `  ${project}:${String(key)}${place}: ${message}`;
  });
  throw new UserError(
    `Pulumi.${stack}.yaml has ${lines.length} errors; nothing was changed.\n${lines.join('\n')}`,
  );
}

/** Parses a value of the engine: lists and objects are JSON, strings are plain. */
function parsed(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
