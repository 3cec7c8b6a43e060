import type { TokenCredential } from '@azure/core-auth';
import { openCredential } from '../azure/credential';
import type { Properties } from '../protocol';
import { ArmClient } from './arm/client';
import { readSettings, type Settings } from './arm/settings';
import { Transport } from './arm/transport';

/** A configured plugin: its settings and clients. */
export interface Session {
  settings: Settings;
  credential: TokenCredential;
  arm: ArmClient;
  /** Requests to the data plane of vaults. */
  vaults: Transport;
}

export function openSession(config: Properties, environment: NodeJS.ProcessEnv): Session {
  const settings = readSettings(config, environment);
  const credential = openCredential({ ...settings, authorityHost: settings.cloud.authorityHost });
  return {
    settings,
    credential,
    arm: new ArmClient(settings, credential),
    vaults: new Transport(credential, `https://${settings.cloud.vaultSuffix}/.default`),
  };
}
