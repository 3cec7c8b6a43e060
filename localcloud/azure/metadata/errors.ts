import type { CloudReply } from '../server/exchange';

/** A refusal of the metadata service. */
export class MetadataError extends Error {
  constructor(
    readonly status: number,
    /** Identifier, such as `invalid_request`. */
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/**
 * The answer for an error. Source of its form: entra-docs
 * `docs/identity/managed-identities-azure-resources/how-to-use-vm-token.md`.
 */
export const errorReply = ({ status, code, message }: MetadataError): CloudReply => ({
  status,
  body: { error: code, error_description: message },
});

export const invalidRequest = (message: string): MetadataError =>
  new MetadataError(400, 'invalid_request', message);
