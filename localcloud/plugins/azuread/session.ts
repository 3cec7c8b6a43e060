import { objectIdOf, openCredential, type ServicePrincipal } from '../azure/credential';
import type { Properties } from '../protocol';
import { GraphClient, graphScope } from './graph/client';
import { readSettings } from './settings';

/** A configured plugin: its settings and its client. */
export interface Session {
  settings: ServicePrincipal;
  graph: GraphClient;
  /** Returns the object id of the caller's service principal. */
  callerId(signal: AbortSignal): Promise<string>;
}

export function openSession(config: Properties, environment: NodeJS.ProcessEnv): Session {
  const settings = readSettings(config, environment);
  const credential = openCredential(settings);
  return {
    settings,
    graph: new GraphClient(credential),
    async callerId(signal) {
      const token = await credential.getToken(graphScope, { abortSignal: signal });
      if (token === null) throw new Error(`no token for ${graphScope}`);
      return objectIdOf(token.token);
    },
  };
}
