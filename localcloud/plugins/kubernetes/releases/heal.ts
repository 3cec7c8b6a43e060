import type { Context } from '../../protocol';
import type { Helm, ReleaseRecord } from './helm';
import { HelmError, findRelease, runHelm } from './helm';
import type { ReleaseArguments } from './properties';

/**
 * Repairs a release whose last operation was interrupted, because helm refuses to change such a release ("another
 * operation is in progress"). The engine's lock on the stack guarantees that no operation is running. An unfinished
 * installation is uninstalled; an unfinished upgrade is rolled back to the last deployed revision.
 */
export async function heal(
  helm: Helm,
  release: ReleaseArguments,
  existing: ReleaseRecord,
  context: Context,
  urn: string,
): Promise<void> {
  const { status } = existing;
  if (!status.startsWith('pending-') && status !== 'uninstalling') return;
  const message = `release '${release.namespace}/${release.name}' was left '${status}' by an interrupted run: repairing it`;
  await context.log('warning', message, urn);
  if (status === 'pending-upgrade' || status === 'pending-rollback') {
    try {
      await runHelm(helm, ['rollback', release.name, '--namespace', release.namespace, '--no-hooks'], {
        signal: context.signal,
      });
      return;
    } catch (error) {
      // No revision was ever deployed, so a rollback is not possible.
      if (!(error instanceof HelmError)) throw error;
    }
  }
  await removeUnfinished(helm, release, context);
}

async function removeUnfinished(helm: Helm, release: ReleaseArguments, context: Context): Promise<void> {
  const timeout = `${release.timeout ?? 300}s`;
  const target = [release.name, '--namespace', release.namespace];
  await runHelm(
    helm,
    ['uninstall', ...target, '--no-hooks', '--ignore-not-found', '--wait', '--timeout', timeout],
    {
      signal: context.signal,
    },
  );
  if ((await findRelease(helm, release)) !== undefined) {
    throw new Error(`the unfinished release '${release.namespace}/${release.name}' could not be removed`);
  }
}
