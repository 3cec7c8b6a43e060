import type { TokenCredential } from '@azure/identity';
import type { AnonymousCredential } from '@azure/storage-blob';
import { BlobServiceClient, StorageSharedKeyCredential } from '@azure/storage-blob';
import type { ClientOptions } from './vendorClients';

/**
 * The vendor's client of a storage account's blobs, without retries.
 *
 * @param credential a key of the account, a token's, or none
 */
export function blobServiceClient(
  account: string,
  credential: string | AnonymousCredential | TokenCredential,
  { agent }: Pick<ClientOptions, 'agent'>,
): BlobServiceClient {
  // Its type does not have the agent, which it passes on to its pipeline like other clients.
  const options = { agent, retryOptions: { maxTries: 1 } };
  return new BlobServiceClient(
    `https://${account}.blob.core.windows.net`,
    typeof credential === 'string' ? new StorageSharedKeyCredential(account, credential) : credential,
    options,
  );
}
