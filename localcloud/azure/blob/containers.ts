import { isAllowed } from '../identity/access';
import type { Caller, Tokens } from '../identity/tokens';
import { TokenRefused } from '../identity/tokens';
import type { Clock } from '../clock';
import type { CloudReply, CloudRequest } from '../server/exchange';
import type { BlobDocument, ResourceDocument } from '../store/documents';
import type { Store } from '../store/store';
import { BlobError, notSupported } from './errors';

/** The audience of tokens for every storage account (azure-docs `storage/blobs/authorize-access-azure-active-directory.md`). */
export const STORAGE_RESOURCE = 'https://storage.azure.com';

const CONTAINERS = 'Microsoft.Storage/storageAccounts/blobServices/containers';

/**
 * The action that each operation needs (learn.microsoft.com, rest/api/storageservices/authorize-with-azure-active-directory).
 */
const NEEDS = {
  createContainer: { action: `${CONTAINERS}/write`, plane: 'control' },
  putBlob: { action: `${CONTAINERS}/blobs/write`, plane: 'data' },
  getBlob: { action: `${CONTAINERS}/blobs/read`, plane: 'data' },
} as const;

interface Context {
  readonly store: Store;
  readonly clock: Clock;
  readonly tokens: Tokens;
}

/** Answers requests with an Entra token, for containers and their block blobs. A blob is text and is written as a whole. */
export async function answerByToken(
  context: Context,
  account: ResourceDocument,
  request: CloudRequest,
): Promise<CloudReply> {
  const operation = operationOf(request);
  const caller = await callerOf(context, request);
  const [container = '', ...rest] = request.segments;
  const scope = `${account.id}/blobServices/default/containers/${container}`;
  const { action, plane } = NEEDS[operation];
  if (!isAllowed(context.store, caller, action, scope, plane)) {
    throw new BlobError(
      403,
      'AuthorizationPermissionMismatch',
      'This request is not authorized to perform this operation using this permission.',
    );
  }
  return new Container(context, account, container)[operation](request, rest.join('/'));
}

function operationOf({ method, segments, query, headers }: CloudRequest): keyof typeof NEEDS {
  const parameters = [...query].map(([name, value]) => `${name}=${value}`).join('&');
  if (method === 'PUT' && segments.length === 1 && parameters === 'restype=container')
    return 'createContainer';
  if (segments.length > 1 && parameters === '') {
    if (method === 'GET' && headers['x-ms-range'] === undefined) return 'getBlob';
    if (method === 'PUT' && headers['x-ms-blob-type'] === 'BlockBlob') return 'putBlob';
  }
  throw notSupported(
    `'${method} /${segments.join('/')}' with the parameters [${[...query.keys()].join(', ')}] by Bearer`,
    'PUT /<container>?restype=container, and PUT of a whole block blob and GET of a whole blob at /<container>/<blob>',
  );
}

async function callerOf({ tokens }: Context, { headers }: CloudRequest): Promise<Caller> {
  const token = headers['authorization']?.replace(/^Bearer /i, '') ?? '';
  try {
    return await tokens.verify(token, (audience) => audience.replace(/\/+$/, '') === STORAGE_RESOURCE);
  } catch (error) {
    if (!(error instanceof TokenRefused)) throw error;
    throw new BlobError(
      401,
      'InvalidAuthenticationInfo',
      'Server failed to authenticate the request. Please refer to the information in the www-authenticate header.',
      { AuthenticationErrorDetail: `The token is refused: ${error.reason}.` },
    );
  }
}

class Container {
  constructor(
    private readonly context: Context,
    private readonly account: ResourceDocument,
    private readonly name: string,
  ) {}

  createContainer(): CloudReply {
    if (this.find(this.name) !== undefined) {
      throw new BlobError(409, 'ContainerAlreadyExists', 'The specified container already exists.');
    }
    return this.write(this.name, '', 'text/plain');
  }

  putBlob({ body, headers }: CloudRequest, blob: string): CloudReply {
    this.checkContainer();
    // Bodies are read as text, so a binary blob has another length than its header says.
    if (Number(headers['content-length'] ?? 0) !== Buffer.byteLength(body))
      throw notSupported('a blob that is not text', 'text');
    const type = headers['x-ms-blob-content-type'] ?? headers['content-type'] ?? 'application/octet-stream';
    return this.write(`${this.name}/${blob}`, body, type);
  }

  getBlob(_request: CloudRequest, blob: string): CloudReply {
    this.checkContainer();
    const blobDocument = this.find(`${this.name}/${blob}`);
    if (blobDocument === undefined)
      throw new BlobError(404, 'BlobNotFound', 'The specified blob does not exist.');
    return {
      status: 200,
      headers: { ...versionOf(blobDocument), 'x-ms-blob-type': 'BlockBlob' },
      content: { type: blobDocument.type, bytes: Buffer.from(blobDocument.content) },
    };
  }

  private checkContainer(): void {
    if (this.find(this.name) !== undefined) return;
    throw new BlobError(404, 'ContainerNotFound', 'The specified container does not exist.');
  }

  /**
   * Finds a container or a blob. The contents of a deleted account are not found: a later account of the same name has another
   * creation time.
   */
  private find(path: string): BlobDocument | undefined {
    const document = this.context.store.blobs.get(this.keyOf(path));
    return document?.created === this.account.properties['creationTime'] ? document : undefined;
  }

  private write(path: string, content: string, type: string): CloudReply {
    const lastModified = new Date(this.context.clock.now()).toUTCString();
    const etag = `"0x${this.context.clock.now().toString(16).toUpperCase()}"`;
    const created = String(this.account.properties['creationTime']);
    const blob: BlobDocument = { content, type, created, lastModified, etag };
    this.context.store.blobs.set(this.keyOf(path), blob);
    return { status: 201, headers: versionOf(blob) };
  }

  /**
   * The key of a container or blob. The path is in hexadecimal, because blob names are case-sensitive and document ids are not.
   */
  private keyOf(path: string): string {
    return `${this.account.id}/${Buffer.from(path).toString('hex')}`;
  }
}

const versionOf = ({ etag, lastModified }: BlobDocument) => ({ etag, 'last-modified': lastModified });
