import { objectIdOf } from '../azure/credential';
import { reveal, revealAll, Secret, type CheckFailure, type Context, type Properties } from '../protocol';
import { checkInputs } from '../resources/check';
import { findFunction, type Invocable } from './catalogue';
import { outputsOf } from './outputs';
import { resourceId } from './resourceId';
import type { Session } from './session';
import { clientFunctions } from './table';

interface Invoked {
  result: Properties;
  failures: CheckFailure[];
}

/** Runs a function of the npm package. */
export async function invoke(
  session: Session,
  token: string,
  args: Properties,
  context: Context,
): Promise<Invoked> {
  if (token === clientFunctions.config)
    return { result: await clientConfig(session, context.signal), failures: [] };
  if (token === clientFunctions.token) {
    return { result: await clientToken(session, args, context.signal), failures: [] };
  }
  const row = findFunction(token);
  const failures = checkInputs(row.inputs, args);
  if (failures.length > 0) return { result: {}, failures };
  return { result: await call(session, row, revealAll(args), context.signal), failures: [] };
}

async function call(
  session: Session,
  row: Invocable,
  args: Properties,
  signal: AbortSignal,
): Promise<Properties> {
  const id = resourceId(row.path, args, session.settings.subscriptionId);
  const response =
    row.method === 'GET'
      ? await session.arm.get(id, row.apiVersion, signal)
      : await session.arm.post(id, row.apiVersion, queryOf(row, args), signal);
  const result = outputsOf(row, response);
  for (const name of row.secrets ?? []) {
    const value = result[name];
    if (value !== undefined) result[name] = new Secret(value);
  }
  return result;
}

function queryOf(row: Invocable, args: Properties): Record<string, string> {
  const query: Record<string, string> = {};
  for (const [argument, parameter] of Object.entries(row.query ?? {})) {
    const value = args[argument];
    if (typeof value === 'string') query[parameter] = value;
  }
  return query;
}

async function clientConfig({ settings, credential }: Session, signal: AbortSignal): Promise<Properties> {
  const token = await credential.getToken(settings.cloud.resourceManagerScope, { abortSignal: signal });
  return {
    clientId: settings.clientId,
    objectId: token ? objectIdOf(token.token) : '',
    subscriptionId: settings.subscriptionId,
    tenantId: settings.tenantId,
  };
}

async function clientToken(
  { settings, credential }: Session,
  args: Properties,
  signal: AbortSignal,
): Promise<Properties> {
  const endpoint = args['endpoint'] === undefined ? '' : reveal(args['endpoint']);
  const scope =
    typeof endpoint === 'string' && endpoint !== ''
      ? `${endpoint.replace(/\/+$/, '')}/.default`
      : settings.cloud.resourceManagerScope;
  const token = await credential.getToken(scope, { abortSignal: signal });
  if (token === null) throw new Error(`no token for ${scope}`);
  return { token: new Secret(token.token) };
}
