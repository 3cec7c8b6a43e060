import { isKeyed, type KeyedKind } from '../../components/dependency/keys';
import type { DependencyKey } from '../../components/dependency/service';
import type { DependencyPlan } from './dependencies';
import type { WorkloadPlan } from './workloads';

/** A connection string that the connection writer keeps current in a secret of a vault. */
export interface ConnectionPlan {
  readonly application: string;
  /** Name of the service in the application's settings. */
  readonly dependency: string;
  readonly kind: KeyedKind;
  /** Name of the service in Azure. */
  readonly azureName: string;
  readonly key: DependencyKey | undefined;
  /** Name of the vault. */
  readonly vault: string;
  /** Name of the secret. */
  readonly secret: string;
}

/** Tells whether the cluster writes the connection string of the dependency to a vault. */
function isWritten({ connection, manages }: DependencyPlan): boolean {
  return connection === 'vault' && manages;
}

/**
 * Returns the dependencies whose connection strings in vaults nothing keeps current: their cluster is revoked, and the
 * application runs on others.
 */
export function unkeptConnections(
  clusters: readonly { readonly workloads: readonly WorkloadPlan[] }[],
): Pick<DependencyPlan, 'application' | 'name'>[] {
  const all = clusters.flatMap(({ workloads }) => workloads);
  const running = new Set(
    all.flatMap(({ application, revoked }) => (revoked === true ? [] : [application.name])),
  );
  return all
    .filter(({ application, revoked }) => revoked === true && running.has(application.name))
    .flatMap(({ dependencies }) => dependencies.filter(isWritten));
}

/** Returns the connection strings that the cluster keeps current. Revoked applications have none. */
export function planConnections(workloads: readonly WorkloadPlan[]): ConnectionPlan[] {
  return workloads
    .filter(({ revoked }) => revoked !== true)
    .flatMap(({ dependencies, vault }) =>
      dependencies
        .filter(isWritten)
        .flatMap(({ application, name, service, usedKey, objectName, connectionVault }) =>
          isKeyed(service)
            ? [
                {
                  ...{ application, dependency: name, kind: service.kind, azureName: service.name },
                  ...{ key: usedKey, vault: connectionVault ?? vault, secret: objectName },
                },
              ]
            : [],
        ),
    );
}
