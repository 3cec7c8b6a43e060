import { allPages, apiVersions, listUrl } from '../../components/azure/resourceManager';
import { messageOf } from '../../components/resource/errors';
import { textOf } from '../../components/resource/fields';
import type { ReadService } from '../azureReader';
import { vCpus, type NewClusters } from '../doctor/quotas';
import { neededProviders, requireRegistered } from '../doctor/subscription';
import { UserError } from '../userError';
import type { Run } from './stackFile';

/** Refuses what cannot be the name of a region, such as a display name. Only Azure knows the names that exist. */
export function validLocation(name: string): string {
  if (/^[a-z][a-z0-9]{1,62}$/.test(name)) return name;
  throw new UserError(
    `--location: "${name}" is not the name of a region. Allowed: lowercase letters and digits.`,
    'Use a name such as westeurope; `az account list-locations --output table` lists all.',
  );
}

/** Place of a run, and what it creates. */
interface Start extends Pick<Run, 'subscription' | 'location'> {
  /** Types of the resources of its stack. */
  readonly types: readonly string[];
  readonly clusters: NewClusters | undefined;
}

/**
 * Refuses a run that Azure would refuse from the start: before anything of it is kept or created.
 * @throws UserError without a sign-in, in an unknown region, with a provider that is not registered, or with too few vCPUs
 */
export async function requireReady(
  { subscription, location, types, clusters }: Start,
  token: () => Promise<unknown>,
  manager: Pick<ReadService, 'endpoint' | 'read'>,
): Promise<void> {
  await token().catch((error: unknown) => {
    const [cause = ''] = messageOf(error).trim().split(/\r?\n/, 1);
    throw new UserError(
      `The sign-in to Azure failed: ${cause.replace(/[.:]$/, '')}.`,
      'Sign in: `az login`, or set the ARM_… or AZURE_… variables. `npx aks-wi doctor` says what is missing.',
    );
  });
  const path = `/subscriptions/${subscription}`;
  const url = listUrl(manager.endpoint, { path: `${path}/locations`, apiVersion: apiVersions.resources });
  const names = (await allPages(url, manager.read)).map(({ name }) => textOf(name)).sort();
  if (!names.includes(location))
    throw new UserError(
      `--location: "${location}" is not a region of the subscription. Allowed: ${names.join(', ')}.`,
      'Name one of these.',
    );
  await requireRegistered(path, { manager }, neededProviders(types));
  if (clusters === undefined) return;
  await vCpus(path, { manager }, clusters).catch((error: unknown) => {
    if (!(error instanceof UserError)) throw error;
    const hint = `Name another region with \`--location\`, or ask Microsoft to raise the quota; \`az vm list-usage --location ${location}\` shows it.`;
    throw new UserError(error.message, hint);
  });
}
