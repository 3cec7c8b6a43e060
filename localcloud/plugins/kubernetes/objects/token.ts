import { Unsupported } from '../../protocol';
import type { ResourceKind } from '../client/kinds';
import { isKnownNamespaced } from '../client/kinds';

const patchSuffix = 'Patch';

/** Parses `kubernetes:apps/v1:Deployment`; throws if the type is not a single Kubernetes object. */
export function kindOfToken(token: string): ResourceKind {
  const match = /^kubernetes:(?:([^/:]+)\/)?([^/:]+):([^/:]+)$/.exec(token);
  if (!match) throw new Unsupported(`'${token}' is not the type of a Kubernetes object`);
  const [, group = '', version = '', kind = ''] = match;
  if (kind.endsWith('List')) {
    throw new Unsupported(`${token}: lists cannot be created; use the type of the items`);
  }
  if (group === 'helm.sh' || ['meta', 'yaml', 'kustomize'].includes(group)) {
    throw new Unsupported(`${token} is not part of the local cloud's kubernetes plugin`);
  }
  const named = { group: group === 'core' ? '' : group, version, kind };
  if (!kind.endsWith(patchSuffix)) return named;
  const patched = { ...named, kind: kind.slice(0, -patchSuffix.length) };
  // The package declares patches for Kubernetes' own kinds only; a custom kind may have a name ending in Patch.
  return isKnownNamespaced(patched) === undefined ? named : { ...patched, patch: true };
}
