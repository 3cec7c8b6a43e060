import { secretVariable } from '../../components/application/secretVariable';
import { defaultAudience } from '../../components/identity/subjects';
import { exportedValues } from '../../components/dependency/exported';
import { dependencyObjectName, dependencyVariable } from '../../components/dependency/service';
import { secretsReadBy } from '../plan';
import type { Problem } from '../settings/problem';
import type { ApplicationSettings } from '../settings/schema';
import { check } from './context';
import { specifiedFor } from './specified';

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
function environments(application: ApplicationSettings) {
  // The variables of a chart's pods are its own affair.
  if ('chart' in application) return [];
  const { env, overrides } = application;
  return [
    { path: ['env'], env: env ?? {} },
    ...overrides.map((override, place) => ({ path: ['overrides', place, 'env'], env: override.env ?? {} })),
  ];
}

export const reservedEnvironment = check([], ({ applications }, { applicationPath }) =>
  applications.flatMap((application, index) =>
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
  ),
);

/** What the driver delivers: there must be something, and it has tokens of one audience only. */
export const deliveries = check(['audience'], (settings, { applicationPath }) =>
  settings.applications.flatMap((application, index): Problem[] => {
    const { delivery, audience } = application;
    const secrets = secretsReadBy(application);
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
  }),
);

/** With delivery `environment` each secret takes a variable, which must be free and a name that Kubernetes takes. */
export const secretVariables = check([], ({ applications }, { applicationPath }) =>
  applications.flatMap((application, index): Problem[] => {
    if (application.delivery !== 'environment' || 'chart' in application) return [];
    const path = applicationPath(index);
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
  }),
);

function taken(variable: string, variables: ReadonlySet<string>): string | undefined {
  if (/^\d/.test(variable)) return 'which cannot start with a digit';
  if (reservedVariables.includes(variable)) {
    return 'which is set by the deployment or by the workload identity webhook';
  }
  return variables.has(variable) ? 'which `env` sets already' : undefined;
}

/** Variables of what the application depends on: a chart's are its own affair. */
export const dependencyVariables = check([], ({ applications }, { applicationPath }) =>
  applications.flatMap((application, index): Problem[] => {
    if ('chart' in application) return [];
    const path = applicationPath(index);
    const owners = new Map<string, string>([
      ...reservedVariables.map((name): [string, string] => [
        name,
        'which is set by the deployment or by the workload identity webhook',
      ]),
      ...environments(application).flatMap(({ env }) =>
        Object.keys(env).map((name): [string, string] => [name, 'which `env` sets already']),
      ),
      ...(application.delivery === 'environment' ? secretsReadBy(application) : []).map(
        (secret): [string, string] => [secretVariable(secret), `which the secret ${secret} is in`],
      ),
    ]);
    return application.dependencies.flatMap((dependency, place): Problem[] => {
      const { name, connection, service } = dependency;
      const objectName = dependencyObjectName(application.name, name);
      const values = exportedValues(objectName, specifiedFor({ service, connection, objectName }));
      return [...new Set(values.map(({ key }) => dependencyVariable(name, key)))].flatMap((variable) => {
        const owner = owners.get(variable);
        owners.set(variable, `which the dependency ${name} has already`);
        // Two of one name are reported as that.
        if (owner === undefined || owner.includes(`dependency ${name} `)) return [];
        return [
          {
            path: [...path, 'dependencies', place, 'name'],
            value: JSON.stringify(name),
            what: `gives the application the variable ${variable}, ${owner}`,
            allowed: 'variables that are free',
            remedy: 'Set another `name`.',
          },
        ];
      });
    });
  }),
);
