import { digestOf } from '../../components/resource/digest';

/** Over how many identities applications are spread. An identity is made only for those that have an application. */
const shardCount = 32;

const shardName = (number: number) => `s${String(number).padStart(2, '0')}`;

/** The names of all shards. */
export const shards: readonly string[] = Array.from({ length: shardCount }, (_, number) => shardName(number));

/**
 * The shard of an application. It is made of the application's name alone: whatever else is added to a cluster or
 * taken from it, no application moves to another identity.
 */
export function shardOf(application: string): string {
  return shardName(parseInt(digestOf(application), 16) % shardCount);
}
