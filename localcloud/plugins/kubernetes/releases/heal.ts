import type { Context } from '../../protocol';
import type { Helm, ReleaseRecord } from './helm';
import { HelmError, findRelease, runHelm } from './helm';
import type { ReleaseArguments } from './properties';

/**
 * Helm refuses to touch a release whose last operation has not ended ("another operation is in progress"), also when
 * the process that began it was killed long ago. The engine's lock on the stack says that none is running: so an
 * unfinished installation is removed, and an unfinished upgrade taken back to the last revision that was deployed.
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
      // No revision was ever deployed: nothing to go back to.
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
