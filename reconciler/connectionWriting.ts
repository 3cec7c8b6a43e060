import pLimit from 'p-limit';
import type { ConnectionDocument, WrittenConnection } from '../components/dependency/connectionDocument';
import { connectionString, KeyedKind } from '../components/dependency/keys';
import { isRecord } from '../components/resource/fields';
import { valueDigest } from '../components/vault/valueTag';
import { messageOf, type Log } from './log';
import { Reconciling } from './reconciling';

/** Keys of services and secrets of vaults in Azure. */
export interface Connections {
  /** Returns the resource manager's answer to `listKeys`. */
  listKeys(connection: WrittenConnection): Promise<unknown>;
  /** Returns the digest of the secret's value from its tags. */
  digestOf(connection: WrittenConnection): Promise<string | undefined>;
  write(connection: WrittenConnection, value: string): Promise<void>;
}

export interface ConnectionWritingOptions {
  /** Reads the document that lists the connections. */
  readonly read: () => Promise<string>;
  /** Returns the client for a cloud's resource manager. */
  readonly azureAt: (resourceManager: string) => Connections;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly log: Log;
}

/** Connections handled in parallel. */
const parallel = 8;

/**
 * Writes each connection string that differs from the one in the vault. It keeps no state between runs, and logs no keys. An error
 * in one service does not delay the others.
 */
export class ConnectionWriting extends Reconciling {
  constructor(private readonly options: ConnectionWritingOptions) {
    super(options.now);
  }

  protected async runOnce(): Promise<boolean> {
    const { read, azureAt, log } = this.options;
    let ok = true;
    try {
      const { resourceManager, connections } = parseConnections(await read());
      const azure = azureAt(resourceManager);
      const limited = pLimit(parallel);
      await Promise.all(
        connections.map((connection) =>
          limited(() =>
            keepCurrent(azure, connection, log).catch((error: unknown) => {
              ok = false;
              const { name, secret } = connection;
              log({ event: 'failed', connection: name, secret, reason: messageOf(error) });
            }),
          ),
        ),
      );
    } catch (error) {
      ok = false;
      log({ event: 'failed', reason: `nothing is written: ${messageOf(error)}` });
    }
    return ok;
  }
}

async function keepCurrent(azure: Connections, connection: WrittenConnection, log: Log): Promise<void> {
  const { kind, template, key, name, secret } = connection;
  const value = connectionString(kind, template, await azure.listKeys(connection), key);
  if ((await azure.digestOf(connection)) === valueDigest(value)) return;
  await azure.write(connection, value);
  log({ event: 'written', connection: name, secret, key });
}

const stringFields = ['name', 'keyHolder', 'template', 'secret'] as const;

/** @throws if any part is invalid: a document is applied completely or not at all */
function parseConnections(text: string): ConnectionDocument {
  const document: unknown = JSON.parse(text);
  if (
    !isRecord(document) ||
    typeof document.resourceManager !== 'string' ||
    !Array.isArray(document.connections)
  )
    throw new Error('the document has no `resourceManager` or no `connections`');
  const { resourceManager, connections } = document;
  return { resourceManager, connections: connections.map(parseConnection) };
}

function parseConnection(value: unknown, index: number): WrittenConnection {
  if (!isRecord(value) || !stringFields.every((field) => typeof value[field] === 'string'))
    throw new Error(`connections[${index}] lacks one of ${stringFields.join(', ')}`);
  if (!Object.values<unknown>(KeyedKind).includes(value.kind))
    throw new Error(`connections[${index}].kind is not allowed: ${Object.values(KeyedKind).join(', ')}`);
  if (value.key !== 'primary' && value.key !== 'secondary')
    throw new Error(`connections[${index}].key is not allowed: primary, secondary`);
  if (!isRecord(value.tags)) throw new Error(`connections[${index}] has no tags`);
  return value as unknown as WrittenConnection;
}
