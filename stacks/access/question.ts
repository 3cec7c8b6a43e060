import { secretTarget } from './reading';
import type { Access } from './reach';
import { withoutOwn } from './reach';

/** An identity, and a secret, by their resource ids. */
export interface ReachQuestion {
  /** Of an application in Entra its display name: its id is made up. */
  readonly identity: { readonly id: string; readonly name: string };
  readonly vaultId: string;
  readonly secret: string;
}

/** Answers why an identity can read a secret, by what the stack registered; undefined: it cannot. */
export function reasonsToReach({
  identities,
  subscriptionId = '',
}: Access): (asked: ReachQuestion) => string | undefined {
  const keyOf = (id: string) => withoutOwn(id, subscriptionId).toLowerCase();
  const byKey = new Map(
    identities.map((one) => [
      one.key,
      { ...one, reached: new Map(one.targets.map((target) => [target.key, target])) },
    ]),
  );
  return ({ identity, vaultId, secret }) => {
    const vault = keyOf(vaultId);
    const found = byKey.get(keyOf(identity.id)) ?? byKey.get(`application ${identity.name.toLowerCase()}`);
    const target =
      found?.reached.get(secretTarget(vault, secret).key) ?? found?.reached.get(secretTarget(vault, '*').key);
    if (found === undefined || target === undefined) return undefined;
    const { because } = target;
    return because === 'granted'
      ? `it is granted to identity ${found.name}, which it shares`
      : `identity ${found.name}: ${because}`;
  };
}
