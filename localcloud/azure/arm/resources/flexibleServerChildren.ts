import { TENANT_ID } from '../../../identity';
import type { CloudReply } from '../../server/exchange';
import type { ResourceDocument } from '../../store/documents';
import { readBody } from '../body';
import type { ArmContext } from '../context';
import type { ArmCall, ArmEndpoint } from '../endpoint';
import { ArmError } from '../errors';
import { GUID } from '../resourceId';
import { ChildResource } from './childResource';
import { accepted, serverBusy } from './flexibleServerOperations';
import { SERVER_TYPE } from './flexibleServerRules';
import { administratorBody, databaseBody, firewallRuleBody } from './flexibleServerSchema';
import type { GroupResource } from './groupResource';

/** A child resource type of a server. */
interface Child {
  /** Last segment of the type. */
  kind: string;
  parameter: string;
  /** Operation ids in the service's specification. */
  operations: { put: string; get: string; list: string; delete: string };
  /** The service's names for the operations that write and delete a child. */
  work: { put: string; delete: string };
  /** Resource type in the service's error for a missing child. @default the child's own */
  unknownAs?: string;
  check: (name: string, server: ResourceDocument) => void;
  /** Reads the displayed name and the properties from a body. */
  read: (name: string, body: unknown) => { shown?: string; properties: Record<string, unknown> };
}

const OWN = ['azure_maintenance', 'azure_sys', 'postgres'];
const UTF8 = { charset: 'UTF8', collation: 'en_US.utf8' };

const invalid = (message: string): ArmError => new ArmError(400, 'InvalidParameterValue', message);

/** Source of codes, texts and answers: the recording that flexibleServerOperations.ts names. */
const CHILDREN: readonly Child[] = [
  {
    kind: 'databases',
    parameter: 'databaseName',
    operations: {
      put: 'Databases_Create',
      get: 'Databases_Get',
      list: 'Databases_ListByServer',
      delete: 'Databases_Delete',
    },
    work: { put: 'UpsertServerDatabaseManagementOperation', delete: 'DropServerDatabaseManagementOperation' },
    check: (name) => {
      if (/^[a-zA-Z_][a-zA-Z0-9_-]{0,62}$/.test(name) && !OWN.includes(name)) return;
      throw invalid(
        `The database name '${name}' is invalid: 1 to 63 letters, digits, '_' and '-', beginning with a letter or '_', and none of ${OWN.join(', ')}.`,
      );
    },
    read: (_name, body) => {
      const { charset, collation } =
        readBody(databaseBody, body, `${SERVER_TYPE}/databases`).properties ?? {};
      return {
        properties: { charset: charset ?? UTF8.charset, collation: collation ?? UTF8.collation },
      };
    },
  },
  {
    kind: 'administrators',
    parameter: 'objectId',
    operations: {
      put: 'AdministratorsMicrosoftEntra_CreateOrUpdate',
      get: 'AdministratorsMicrosoftEntra_Get',
      list: 'AdministratorsMicrosoftEntra_ListByServer',
      delete: 'AdministratorsMicrosoftEntra_Delete',
    },
    work: {
      put: 'UpsertAadAuthPrincipalManagementOperation',
      delete: 'DropAadAuthPrincipalManagementOperation',
    },
    check: (name, server) => {
      if (!GUID.test(name)) throw invalid(`The object id '${name}' of an administrator is not a GUID.`);
      const auth = server.properties['authConfig'] as { activeDirectoryAuth: string };
      if (auth.activeDirectoryAuth === 'Enabled') return;
      throw new ArmError(
        400,
        'AadAuthDisabled',
        `Microsoft Entra authentication is not enabled on server '${server.name}': set authConfig.activeDirectoryAuth to 'Enabled' first.`,
      );
    },
    read: (name, body) => {
      const { principalName, principalType, tenantId } = readBody(
        administratorBody,
        body,
        `${SERVER_TYPE}/administrators`,
      ).properties;
      if ((tenantId ?? TENANT_ID).toLowerCase() !== TENANT_ID) {
        throw invalid(`The tenant '${tenantId ?? ''}' is not the server's, '${TENANT_ID}'.`);
      }
      return {
        shown: principalName,
        properties: { principalType, principalName, objectId: name, tenantId: TENANT_ID },
      };
    },
  },
  {
    kind: 'firewallRules',
    parameter: 'firewallRuleName',
    operations: {
      put: 'FirewallRules_CreateOrUpdate',
      get: 'FirewallRules_Get',
      list: 'FirewallRules_ListByServer',
      delete: 'FirewallRules_Delete',
    },
    work: {
      put: 'UpsertServerFirewallRulesManagementOperation',
      delete: 'DropServerFirewallRulesManagementOperation',
    },
    unknownAs: SERVER_TYPE,
    check: (name, server) => {
      if (!/^[a-zA-Z0-9_-]{1,80}$/.test(name)) {
        throw invalid(
          `The name '${name}' of a firewall rule is invalid: 1 to 80 letters, digits, '-' and '_'.`,
        );
      }
      const network = server.properties['network'] as { publicNetworkAccess: string };
      if (network.publicNetworkAccess === 'Enabled') return;
      throw new ArmError(
        400,
        'FirewallRuleNotAllowed',
        `Server '${server.name}' takes no firewall rules: its public network access is off.`,
      );
    },
    read: (_name, body) => {
      const rule = readBody(firewallRuleBody, body, `${SERVER_TYPE}/firewallRules`).properties;
      const number = (address: string): number =>
        address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
      if (number(rule.startIpAddress) > number(rule.endIpAddress)) {
        throw invalid(
          `The start address '${rule.startIpAddress}' of a firewall rule is above its end address '${rule.endIpAddress}'.`,
        );
      }
      return { properties: rule };
    },
  },
];

/** The databases that exist in every server. */
export const ownDatabases = (server: ResourceDocument): ResourceDocument[] =>
  OWN.map((name) => ({
    id: `${server.id}/databases/${name}`,
    name,
    type: `${SERVER_TYPE}/databases`,
    properties: UTF8,
  }));

/**
 * The error for a busy server; undefined if it is not busy. The service accepts a change of the server's children and fails it
 * later, as in the recording.
 */
function busy(context: ArmContext, server: ResourceDocument): { code: string; message: string } | undefined {
  return context.operations.runningWithin(server.id).length > 0 ? serverBusy(server.name) : undefined;
}

function endpointsOf(context: ArmContext, servers: GroupResource, child: Child): ArmEndpoint[] {
  const children = new ChildResource(servers, child.kind, child.parameter, {
    parentMissing: (id, right) =>
      new ArmError(
        404,
        'ParentResourceNotFound',
        `Failed to perform '${right}' on resource(s) of type 'flexibleServers/${child.kind}', because the parent resource '${id}' could not be found.`,
      ),
    missing: (name) =>
      new ArmError(
        404,
        'ResourceNotFound',
        `The requested resource of type '${child.unknownAs ?? `${SERVER_TYPE}/${child.kind}`}' with name '${name}' was not found.`,
      ),
  });

  const put = (call: ArmCall): CloudReply => {
    const { parent, id, existing } = children.target(context, call);
    const name = children.nameIn(call);
    child.check(name, parent);
    const { shown = name, properties } = child.read(name, call.body);
    const created: ResourceDocument = { id, name: shown, type: children.type, properties };
    const outcome = { succeeded: created, failed: existing ?? null };
    const operation = context.longRunning.begin(id, outcome, busy(context, parent));
    return accepted(context, call, parent.location, child.work.put, operation);
  };

  const remove = (call: ArmCall): CloudReply => {
    const { parent, existing } = children.find(context, call, 'delete');
    if (existing === undefined) return { status: 204 };
    if (child.kind === 'databases') child.check(existing.name, parent);
    const outcome = { succeeded: null, failed: existing };
    const operation = context.longRunning.begin(existing.id, outcome, busy(context, parent));
    return accepted(context, call, parent.location, child.work.delete, operation);
  };

  const { operations } = child;
  return [
    children.endpoint('PUT', operations.put, put),
    ...children.reads(context, operations),
    children.endpoint('DELETE', operations.delete, remove),
  ];
}

/** Databases, Entra administrators and firewall rules of servers. */
export const childEndpoints = (context: ArmContext, servers: GroupResource): ArmEndpoint[] =>
  CHILDREN.flatMap((child) => endpointsOf(context, servers, child));
