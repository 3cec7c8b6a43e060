import { ownSubscription } from './names';

/** Makes a text readable: scopes become `<type>/<name> in <resource group>`. */
export function readable(text: string): string {
  return text
    .replace(/ on (\/\S+)$/, (_, scope: string) => ` on ${readableScope(scope)}`)
    .replaceAll(ownSubscription, 'this subscription');
}

function readableScope(scope: string): string {
  const [, subscription = '', group = '', rest = ''] =
    /^\/subscriptions\/([^/]+)(?:\/resourceGroups\/([^/]+))?(?:\/providers\/(.*))?$/i.exec(scope) ?? [];
  if (subscription === '') return scope;
  const place = subscription === ownSubscription ? '' : ` of ${subscription}`;
  if (group === '')
    return subscription === ownSubscription ? 'the subscription' : `the subscription ${subscription}`;
  // Without the name of the resource provider.
  const resource = rest.replace(/^[^/]+\//, '');
  return resource === '' ? `resource group ${group}${place}` : `${resource} in ${group}${place}`;
}
