import { secretTarget } from './vaults';
import type { Access } from './reach';
import { withoutOwn } from './reach';

/** Asks whether an identity can read a secret. */
export interface ReachQuestion {
  /** An application in Entra is found by its display name, since its id is generated. */
  readonly identity: { readonly id: string; readonly name: string };
  readonly vaultId: string;
  readonly secret: string;
}

/** Returns a function that tells why an identity can read a secret by the stack's grants, or undefined if it cannot. */
export function reasonsToReach({
  identities,
  subscriptionId = '',
}: Access): (question: ReachQuestion) => string | undefined {
  const keyOf = (id: string) => withoutOwn(id, subscriptionId).toLowerCase();
  const byKey = new Map(
    identities.map((identity) => [
      identity.key,
      { name: identity.name, targets: new Map(identity.targets.map((target) => [target.key, target])) },
    ]),
  );
  return ({ identity, vaultId, secret }) => {
    const vault = keyOf(vaultId);
    const access = byKey.get(keyOf(identity.id)) ?? byKey.get(`application ${identity.name.toLowerCase()}`);
    const target =
      access?.targets.get(secretTarget(vault, secret).key) ??
      access?.targets.get(secretTarget(vault, '*').key);
    if (access === undefined || target === undefined) return undefined;
    const { because } = target;
    return because === 'granted'
      ? `it is granted to identity ${access.name}, which it shares`
      : `identity ${access.name}: ${because}`;
  };
}
