import * as z from 'zod';
import type { ResourceDocument } from '../../store/documents';
import { body, defined, readBody } from '../body';
import type { ArmContext } from '../context';
import { present } from '../context';
import type { ArmCall, ArmEndpoint } from '../endpoint';
import { ArmError, badRequest } from '../errors';
import { sameId } from '../resourceId';
import { RULES_SINCE } from '../versionChanges';
import { ResourceType } from './resourceType';
import { checkScope } from './scopes';
import supportedLogs from './supportedLogs.json';
import { WORKSPACE_TYPE } from './workspaces';

const TYPE = 'Microsoft.Insights/diagnosticSettings';
const CATEGORIES = `${TYPE}Categories`;
const settings = new ResourceType(TYPE, `{scope}/providers/${TYPE}`, 'name');
/** Source: MicrosoftDocs/azure-monitor-docs, diagnostic-settings.md. */
const MOST_PER_RESOURCE = 5;

/**
 * Supported categories by resource type. Source: MicrosoftDocs/azure-monitor-docs
 * `reference/supported-logs/*.md`.
 */
const SUPPORTED: Record<string, { logs: readonly string[]; groups: readonly string[] }> = supportedLogs;
const METRICS = ['AllMetrics'];

const retentionPolicy = z.strictObject({ enabled: z.boolean(), days: z.int().min(0) }).optional();

/** Source: azure-rest-api-specs `…/Insights/preview/2021-05-01-preview/diagnosticsSettings_API.json`. */
const createBody = body({
  properties: z.strictObject({
    workspaceId: z.string().nullish(),
    storageAccountId: z.string().nullish(),
    serviceBusRuleId: z.string().nullish(),
    eventHubAuthorizationRuleId: z.string().nullish(),
    eventHubName: z.string().nullish(),
    marketplacePartnerId: z.string().nullish(),
    logAnalyticsDestinationType: z.string().nullish(),
    logs: z
      .array(
        z.strictObject({
          category: z.string().nullish(),
          categoryGroup: z.string().nullish(),
          enabled: z.boolean(),
          retentionPolicy,
        }),
      )
      .optional(),
    metrics: z
      .array(
        z.strictObject({
          category: z.string().nullish(),
          enabled: z.boolean(),
          timeGrain: z.string().nullish(),
          retentionPolicy,
        }),
      )
      .optional(),
  }),
});

type RequestedSetting = z.infer<typeof createBody>['properties'];
type Supported = NonNullable<(typeof SUPPORTED)[string]>;

function checkCategories(requested: RequestedSetting, supported: Supported): void {
  for (const { category, categoryGroup } of requested.logs ?? []) {
    if ((category ?? undefined) !== undefined && (categoryGroup ?? undefined) !== undefined) {
      throw badRequest(
        `A log has either a category or a category group; one has '${category ?? ''}' and '${categoryGroup ?? ''}'.`,
        'properties.logs',
      );
    }
    if (categoryGroup !== undefined && categoryGroup !== null) {
      if (supported.groups.includes(categoryGroup)) continue;
      throw badRequest(
        `CategoryGroup: '${categoryGroup}' is not supported, supported ones are: '${supported.groups.join("','")}'`,
        'properties.logs',
      );
    }
    if (supported.logs.includes(category ?? '')) continue;
    throw badRequest(
      `Category '${category ?? ''}' is not supported. Here: ${supported.logs.join(', ')}.`,
      'properties.logs',
    );
  }
  for (const { category } of requested.metrics ?? []) {
    if (METRICS.includes(category ?? '')) continue;
    throw badRequest(
      `Metric category '${category ?? ''}' is not supported. Here: ${METRICS.join(', ')}.`,
      'properties.metrics',
    );
  }
}

/**
 * Refuses names in API versions without them. Source of the text: TaoYang-Cloud/azurepolicy #12; no source gives status and
 * code.
 */
function checkName(call: ArmCall): void {
  const name = settings.nameIn(call);
  if (name === '' || name.toLowerCase() === 'service') return;
  if (call.apiVersion >= RULES_SINCE.namedDiagnosticSettings) return;
  throw badRequest(`Path: '${call.scope}/providers/${TYPE}/${name}' is not supported`);
}

/** Checks the data sink: only workspaces are supported. */
function checkSink(context: ArmContext, requested: RequestedSetting): void {
  if (requested.workspaceId === undefined || requested.workspaceId === null) {
    throw badRequest(
      'At least one data sink needs to be specified; the local cloud has workspaces (workspaceId).',
      'properties.workspaceId',
    );
  }
  if (context.store.resources.get(requested.workspaceId)?.type === WORKSPACE_TYPE) return;
  throw new ArmError(
    404,
    'ResourceNotFound',
    `The Resource '${requested.workspaceId}' was not found: 'properties.workspaceId' names a Log Analytics workspace that exists.`,
    { target: 'properties.workspaceId' },
  );
}

const sent = (settings: RequestedSetting, { logs, groups }: Supported): string[] =>
  (settings.logs ?? []).flatMap(({ category, categoryGroup }) =>
    // `allLogs` has every category of these types; `audit` has those with that word in their name.
    categoryGroup !== undefined && categoryGroup !== null
      ? logs.filter((log) => categoryGroup !== groups[0] || /audit/i.test(log))
      : [category ?? ''],
  );

/**
 * Refuses too many settings on a resource, and a category that another setting sends to the same workspace. Source of the rule
 * and message: Azure/bicep-registry-modules #3407.
 */
function checkOthers(others: ResourceDocument[], requested: RequestedSetting, supported: Supported): void {
  if (others.length >= MOST_PER_RESOURCE) {
    throw badRequest(`A resource has at most ${MOST_PER_RESOURCE} diagnostic settings.`);
  }
  for (const other of others) {
    const current = other.properties as RequestedSetting;
    if (!sameId(current.workspaceId ?? '', requested.workspaceId ?? '')) continue;
    const twice = sent(current, supported).find((category) => sent(requested, supported).includes(category));
    if (twice === undefined) continue;
    throw new ArmError(
      409,
      'Conflict',
      `Data sink '${requested.workspaceId ?? ''}' is already used in diagnostic setting '${other.name}' for category '${twice}'. Data sinks can't be reused in different settings on the same category for the same resource.`,
    );
  }
}

/** Diagnostic settings of vaults and clusters. Only the audit log of a vault is sent to its workspaces. */
export function diagnosticSettingEndpoints(context: ArmContext): ArmEndpoint[] {
  const { store } = context;
  const targetOf = (call: ArmCall): { target: ResourceDocument; supported: Supported } => {
    checkName(call);
    const target = checkScope(context, call.scope);
    const supported = SUPPORTED[target?.type ?? ''];
    if (target !== undefined && supported !== undefined && sameId(target.id, call.scope)) {
      return { target, supported };
    }
    throw badRequest(
      `The resource type '${target?.type ?? call.scope}' does not support diagnostic settings here. Those do: ${Object.keys(SUPPORTED).join(', ')}.`,
    );
  };
  const idOf = (target: ResourceDocument, call: ArmCall): string =>
    `${target.id}/providers/${TYPE}/${settings.nameIn(call)}`;
  const settingsOf = (target: ResourceDocument): ResourceDocument[] =>
    store.below(target.id).filter((each) => each.type === TYPE);

  return [
    settings.endpoint('PUT', 'DiagnosticSettings_CreateOrUpdate', (call) => {
      const { target, supported } = targetOf(call);
      const requested = readBody(createBody, call.body, TYPE).properties;
      checkSink(context, requested);
      checkCategories(requested, supported);
      const id = idOf(target, call);
      const existing = store.resources.get(id);
      checkOthers(
        settingsOf(target).filter((other) => !sameId(other.id, id)),
        requested,
        supported,
      );
      const setting: ResourceDocument = {
        id: existing?.id ?? id,
        name: existing?.name ?? settings.nameIn(call),
        type: TYPE,
        properties: { ...defined(requested), logs: requested.logs ?? [], metrics: requested.metrics ?? [] },
      };
      store.resources.set(setting.id, setting);
      return { status: 200, body: present(setting) };
    }),
    settings.endpoint('GET', 'DiagnosticSettings_Get', (call) => {
      const { target } = targetOf(call);
      const setting = store.resources.get(idOf(target, call));
      if (setting !== undefined) return { status: 200, body: present(setting) };
      throw new ArmError(
        404,
        'ResourceNotFound',
        `The Resource '${idOf(target, call)}' was not found: '${target.name}' has no such diagnostic setting.`,
      );
    }),
    settings.endpoint('DELETE', 'DiagnosticSettings_Delete', (call) => ({
      status: store.resources.delete(idOf(targetOf(call).target, call)) ? 200 : 204,
    })),
    settings.listEndpoint('DiagnosticSettings_List', (call) =>
      settingsOf(targetOf(call).target).map(present),
    ),
    {
      operation: 'DiagnosticSettingsCategory_List',
      method: 'GET',
      path: `{scope}/providers/${CATEGORIES}`,
      type: TYPE,
      action: `${CATEGORIES}/read`,
      handle: (call) => {
        const { target, supported } = targetOf(call);
        const category = (name: string, categoryType: string, groups: readonly string[]) => ({
          id: `${target.id}/providers/${CATEGORIES}/${name}`,
          name,
          type: CATEGORIES,
          properties: { categoryType, categoryGroups: groups },
        });
        return {
          status: 200,
          body: {
            value: [
              ...supported.logs.map((name) =>
                category(
                  name,
                  'Logs',
                  supported.groups.filter((group) => group !== 'audit' || /audit/i.test(name)),
                ),
              ),
              ...METRICS.map((name) => category(name, 'Metrics', [])),
            ],
          },
        };
      },
    },
  ];
}
