import { secretVariable } from '../../../components/application/secretVariable';
import { defaultAudience } from '../../../components/identity/subjects';
import type { Problem } from '../problem';
import type { ApplicationSettings } from '../schema';
import type { Check } from './context';

/** What the webhook injects, and what the workload sets itself: another value would be lost, or break the sign-in. */
const reservedVariables = [
  'AZURE_AUTHORITY_HOST',
  'AZURE_CLIENT_ID',
  'AZURE_FEDERATED_TOKEN_FILE',
  'AZURE_TENANT_ID',
  'KEY_VAULT_URI',
  'SECRET_NAMES',
];

/** Every place where an application says variables, below its own path. */
function environments({ env, overrides }: ApplicationSettings) {
  return [
    { path: ['env'], env: env ?? {} },
    ...overrides.map((override, place) => ({ path: ['overrides', place, 'env'], env: override.env ?? {} })),
  ];
}

export const reservedEnvironment: Check = ({ settings, applicationPath }) =>
  settings.applications.flatMap((application, index) =>
    environments(application).flatMap(({ path, env }) =>
      Object.keys(env)
        .filter((name) => reservedVariables.includes(name))
        .map((name) => ({
          path: [...applicationPath(index), ...path, name],
          what: 'is set by the deployment or by the workload identity webhook',
          allowed: `any but ${reservedVariables.join(', ')}`,
          remedy: 'Remove it.',
        })),
    ),
  );

/** What the driver delivers: there must be something, and it has tokens of one audience only. */
export const deliveries: Check = ({ settings, applicationPath }) =>
  settings.applications.flatMap(({ delivery, secrets, audience }, index): Problem[] => {
    if (delivery === 'application') return [];
    const path = [...applicationPath(index), 'delivery'];
    const value = JSON.stringify(delivery);
    const given = audience ?? settings.audience;
    return [
      ...(secrets.length === 0
        ? [
            {
              path,
              value,
              what: 'has nothing to deliver',
              allowed: 'application, for one without `secrets`',
              remedy: 'Name its `secrets`, or remove it.',
            },
          ]
        : []),
      ...(given !== defaultAudience
        ? [
            {
              path,
              value,
              what: `does not go with the audience ${JSON.stringify(given)}: the driver asks for tokens of its own`,
              allowed: `application, or the audience ${defaultAudience}`,
              remedy: `Set \`audience: ${defaultAudience}\` on the application, or remove \`delivery\`.`,
            },
          ]
        : []),
    ];
  });

/** With delivery `environment` each secret takes a variable, which must be free and a name that Kubernetes takes. */
export const secretVariables: Check = ({ settings, applicationPath }) =>
  settings.applications.flatMap((application, index): Problem[] => {
    if (application.delivery !== 'environment') return [];
    const path = applicationPath(index);
    // The variables of a chart's pods are its own affair.
    if (application.chart !== undefined) return [];
    const variables = new Set(environments(application).flatMap(({ env }) => Object.keys(env)));
    return application.secrets.flatMap((secret, place): Problem[] => {
      const variable = secretVariable(secret);
      const found = taken(variable, variables);
      if (found === undefined) return [];
      return [
        {
          path: [...path, 'secrets', place],
          value: JSON.stringify(secret),
          what: `would be in the variable ${variable}, ${found}`,
          remedy: 'Rename the one or the other, or set `delivery: files`.',
        },
      ];
    });
  });

function taken(variable: string, variables: ReadonlySet<string>): string | undefined {
  if (/^\d/.test(variable)) return 'which cannot start with a digit';
  if (reservedVariables.includes(variable)) {
    return 'which is set by the deployment or by the workload identity webhook';
  }
  return variables.has(variable) ? 'which `env` sets already' : undefined;
}
