import type { ArgumentProblem } from '../resource/errors';
import { oneOf, outputsIn } from '../resource/given';
import type { AzureDependencyArgs } from './azureDependency';
import type { DependencyService } from './service';
import { dependencyKinds } from './service';

/** The service that the arguments give. */
export function serviceOf({ service }: Pick<AzureDependencyArgs, 'service'>): DependencyService {
  const { kind, value } = oneOf(service);
  return { kind, ...value } as DependencyService;
}

/** What is wrong with arguments that have their types. */
export function dependencyProblems(args: AzureDependencyArgs): ArgumentProblem[] {
  const service = serviceOf(args);
  const { connection = 'identity' } = args;
  const { connections, label } = dependencyKinds[service.kind];
  // Names of resources are made of these two fields of the specification, so they have to be known at once.
  const spec: Readonly<Record<string, unknown>> = service.kind === 'resource' ? service.spec : {};
  const { azureName, operatorSpec } = spec;
  const problems: ArgumentProblem[] = outputsIn({ azureName, operatorSpec }, 'service.resource.spec').map(
    (argument) => ({
      argument,
      problem: 'is an output of another resource, and the names of resources depend on it',
      allowed: 'a plain value',
    }),
  );
  if (connections.includes(connection)) return problems;
  return [
    ...problems,
    {
      argument: 'connection',
      value: connection,
      problem: `is not possible for ${/^[aeiou]/i.test(label) ? 'an' : 'a'} ${label}`,
      allowed: connections.join(', '),
    },
  ];
}
