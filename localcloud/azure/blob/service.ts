import { ACCOUNT_TYPE } from '../arm/resources/storageRules';
import type { Clock } from '../clock';
import { CLIENT_ADDRESS, inRanges } from '../network';
import type { CloudReply, CloudRequest, CloudService } from '../server/exchange';
import type { Tokens } from '../identity/tokens';
import { destinationOf } from '../server/hosts';
import type { ResourceDocument } from '../store/documents';
import type { Store } from '../store/store';
import { answerByToken } from './containers';
import { BlobError, errorReply, notSupported } from './errors';
import { checkSharedKey } from './sharedKey';

/** The first version of the service with Get Account Information. */
const FIRST_VERSION = '2018-03-28';

/**
 * The blob service of storage accounts. With a shared key, it answers Get Account Information only, by which clients check
 * whether a key is the account's. With an Entra token, it serves containers and block blobs.
 */
export class BlobService implements CloudService {
  constructor(
    private readonly context: { readonly store: Store; readonly clock: Clock; readonly tokens: Tokens },
  ) {}

  fault(status: number, code: string, message: string): CloudReply {
    return errorReply(new BlobError(status, code, message));
  }

  headers({ id, headers }: CloudRequest): Record<string, string> {
    const [version, client] = [headers['x-ms-version'], headers['x-ms-client-request-id']];
    return {
      'x-ms-request-id': id,
      ...(version !== undefined && { 'x-ms-version': version }),
      ...(client !== undefined && { 'x-ms-client-request-id': client }),
    };
  }

  async handle(request: CloudRequest): Promise<CloudReply> {
    try {
      return await this.answer(request);
    } catch (error) {
      if (!(error instanceof BlobError)) throw error;
      return errorReply(error);
    }
  }

  private async answer(request: CloudRequest): Promise<CloudReply> {
    const { store, clock } = this.context;
    const destination = destinationOf(request.host);
    const name = destination?.service === 'blob' ? destination.account : '';
    const account = store.ofType(ACCOUNT_TYPE).find((resource) => resource.name === name);
    if (account?.properties['provisioningState'] !== 'Succeeded') {
      // In Azure the name would not resolve.
      return this.fault(404, 'ResourceNotFound', `There is no storage account '${name}' in the local cloud.`);
    }
    const isByToken = /^Bearer /i.test(request.headers['authorization'] ?? '');
    if (!isByToken) checkOperation(request);
    checkVersion(request);
    checkNetwork(account);
    if (isByToken) return answerByToken(this.context, account, request);
    if (account.properties['allowSharedKeyAccess'] === false) {
      throw new BlobError(
        403,
        'KeyBasedAuthenticationNotPermitted',
        'Key based authentication is not permitted on this storage account.',
      );
    }
    const keys = Object.values((account.internal?.['keys'] ?? {}) as Record<string, string>);
    checkSharedKey(
      request,
      name,
      keys.map((key) => store.box.open(key)),
      clock,
    );
    const { sku, kind } = account.extra as { sku: { name: string }; kind: string };
    return {
      status: 200,
      headers: {
        'x-ms-sku-name': sku.name,
        'x-ms-account-kind': kind,
        'x-ms-is-hns-enabled': String(account.properties['isHnsEnabled'] === true),
      },
    };
  }
}

/** Refuses shared-key requests other than Get Account Information, by name. */
function checkOperation({ method, segments, query, headers }: CloudRequest): void {
  const parameters = [...query].map(([name, value]) => `${name}=${value}`).sort();
  const scheme = headers['authorization']?.split(' ')[0] ?? 'no authorization';
  if (
    method !== 'GET' ||
    segments.length > 0 ||
    parameters.join('&') !== 'comp=properties&restype=account' ||
    scheme !== 'SharedKey'
  ) {
    const names = [...query.keys()].join(', ');
    throw notSupported(
      `'${method} /${segments.join('/')}' with the parameters [${names}] by ${scheme}`,
      'GET /?restype=account&comp=properties by SharedKey, and containers and blobs by Bearer',
    );
  }
}

function checkVersion({ headers }: CloudRequest): void {
  const version = headers['x-ms-version'] ?? '';
  if (/^\d{4}-\d\d-\d\d$/.test(version) && version >= FIRST_VERSION) return;
  throw new BlobError(
    400,
    'InvalidHeaderValue',
    'The value for one of the HTTP headers is not in the correct format.',
    { HeaderName: 'x-ms-version', HeaderValue: version },
  );
}

/** Refuses callers by network rules. Every caller is on this machine, and in no subnet. */
function checkNetwork({ properties }: ResourceDocument): void {
  const { publicNetworkAccess, networkAcls } = properties as {
    publicNetworkAccess?: string;
    networkAcls?: { defaultAction?: string; ipRules?: { value: string }[] };
  };
  const ranges = (networkAcls?.ipRules ?? []).map(({ value }) => value);
  const denied = networkAcls?.defaultAction === 'Deny' && !inRanges(CLIENT_ADDRESS, ranges);
  if (publicNetworkAccess !== 'Disabled' && !denied) return;
  throw new BlobError(
    403,
    'AuthorizationFailure',
    'This request is not authorized to perform this operation.',
  );
}
