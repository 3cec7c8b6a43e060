import * as z from 'zod';
import type { ResourceDocument } from '../../store/documents';
import { body, readBody } from '../body';
import type { ArmContext } from '../context';
import type { ArmCall, ArmEndpoint } from '../endpoint';
import { badRequest } from '../errors';
import { ChildResource } from './childResource';
import type { GroupResource } from './groupResource';
import type { KeyName } from './keyPair';
import { keyPair, newKeyPair, regenerate } from './keyPair';

const KIND = 'AuthorizationRules';
const ROOT = 'RootManageSharedAccessKey';

/** Source: azure-rest-api-specs `…/Microsoft.ServiceBus/stable/2024-01-01/AuthorizationRules.json`. */
const ruleBody = body({
  properties: z.strictObject({ rights: z.array(z.enum(['Manage', 'Send', 'Listen'])).min(1) }),
});
const keyBody = z.strictObject({
  keyType: z.enum(['PrimaryKey', 'SecondaryKey']),
  key: z.string().optional(),
});

const NAMES: Readonly<Record<string, KeyName>> = { PrimaryKey: 'primaryKey', SecondaryKey: 'secondaryKey' };

/** Stores the rule that every namespace has from the beginning. */
export function storeRootRule(context: ArmContext, namespace: ResourceDocument): void {
  const id = `${namespace.id}/${KIND}/${ROOT}`;
  context.store.resources.set(id, {
    ...{ id, name: ROOT, type: `${namespace.type}/${KIND}`, location: namespace.location },
    properties: { rights: ['Listen', 'Manage', 'Send'] },
    internal: newKeyPair(context),
  });
}

/** The keys of a rule, with connection strings. */
function listed(context: ArmContext, namespace: string, rule: ResourceDocument): Record<string, string> {
  const keys = keyPair(context, rule);
  const string = (key: string): string =>
    `Endpoint=sb://${namespace}.servicebus.windows.net/;SharedAccessKeyName=${rule.name};SharedAccessKey=${key}`;
  return {
    primaryConnectionString: string(keys.primaryKey),
    secondaryConnectionString: string(keys.secondaryKey),
    ...keys,
    keyName: rule.name,
  };
}

/** Authorization rules of a namespace. Listing their keys has a permission of its own in roles. */
export function authorizationRuleEndpoints(context: ArmContext, namespaces: GroupResource): ArmEndpoint[] {
  const rules = new ChildResource(namespaces, KIND, 'authorizationRuleName');
  const required = (call: ArmCall) => {
    const { parent, existing } = rules.find(context, call);
    if (existing === undefined) throw rules.missing(call, parent);
    return { namespace: parent.name, rule: existing };
  };
  return [
    rules.endpoint('PUT', 'Namespaces_CreateOrUpdateAuthorizationRule', (call) => {
      const { id, name, existing, parent } = rules.target(context, call);
      const { rights } = readBody(ruleBody, call.body, rules.type).properties;
      if (rights.includes('Manage') && rights.length < 3)
        throw badRequest('Manage permission should also include Send and Listen.', 'properties.rights');
      const created: ResourceDocument = {
        ...{ id, name, type: rules.type, location: parent.location, properties: { rights } },
        internal: existing?.internal ?? newKeyPair(context),
      };
      return { ...rules.kept(context, created, existing), status: 200 };
    }),
    ...rules.reads(context, {
      get: 'Namespaces_GetAuthorizationRule',
      list: 'Namespaces_ListAuthorizationRules',
    }),
    rules.delete(context, 'Namespaces_DeleteAuthorizationRule'),
    rules.actionEndpoint('listKeys', 'Namespaces_ListKeys', (call) => {
      const { namespace, rule } = required(call);
      return { status: 200, body: listed(context, namespace, rule) };
    }),
    rules.actionEndpoint('regenerateKeys', 'Namespaces_RegenerateKeys', (call) => {
      const { namespace, rule } = required(call);
      const { keyType, key } = readBody(keyBody, call.body, rules.type);
      const changed = regenerate(context, rule, NAMES[keyType] ?? 'primaryKey', key);
      return { status: 200, body: listed(context, namespace, changed) };
    }),
  ];
}
