import { digestOf } from '../../components/resource/digest';

/**
 * Number of identities among which applications are distributed. An identity is created only for shards that have an
 * application.
 */
const shardCount = 32;

const shardName = (number: number) => `s${String(number).padStart(2, '0')}`;

/** Names of all shards. */
export const shards: readonly string[] = Array.from({ length: shardCount }, (_, number) => shardName(number));

/**
 * Returns the shard of an application. It depends only on the application's name, so adding or removing others never moves an
 * application to another identity.
 */
export function shardOf(application: string): string {
  return shardName(parseInt(digestOf(application), 16) % shardCount);
}
