import { Unsupported } from '../../protocol';
import type { Kind } from '../client/kinds';

/** `kubernetes:apps/v1:Deployment` → group, version and kind. Refuses what is no single Kubernetes object. */
export function kindOfToken(token: string): Kind {
  const match = /^kubernetes:(?:([^/:]+)\/)?([^/:]+):([^/:]+)$/.exec(token);
  if (!match) throw new Unsupported(`'${token}' is not the type of a Kubernetes object`);
  const [, group = '', version = '', kind = ''] = match;
  if (kind.endsWith('List')) {
    throw new Unsupported(
      `${token}: lists exist for manifests and charts and cannot be created; use the type of the items`,
    );
  }
  if (kind.endsWith('Patch') || group === 'helm.sh' || ['meta', 'yaml', 'kustomize'].includes(group)) {
    throw new Unsupported(`${token} is not part of the local cloud's kubernetes plugin`);
  }
  return { group: group === 'core' ? '' : group, version, kind };
}
