import { JsonLines } from './jsonLines';

/** The record of one request to Entra's token endpoint or the metadata service. It contains no token and no secret. */
export interface TokenIssuance {
  /** Time in RFC 3339 format. */
  time: string;
  clientId: string;
  objectId?: string;
  displayName?: string;
  grant: 'federated' | 'secret' | 'certificate' | 'managed identity' | 'none';
  /** Name of the cluster whose node, or whose identity binding, requested the token. */
  cluster?: string;
  /** The requested scope. */
  scope?: string;
  /** The resource that the token is for: its `aud` claim. */
  resource?: string;
  outcome: 'issued' | 'refused';
  /** AADSTS code, if the request was refused. */
  error?: number;
  /** Issuer of the federated assertion. */
  issuer?: string;
  subject?: string;
  audiences?: string[];
  /** Name of the matching federated credential; key id of a certificate or secret. */
  credential?: string;
  /** The `uti` claim of the issued token. The activity log records it with each change that was made with the token. */
  tokenId?: string;
  correlationId: string;
}

/** The audit record of token requests. */
export class AuditLog extends JsonLines<TokenIssuance> {
  /** @param also called with each entry after it is appended */
  constructor(
    file: string,
    private readonly also: (entry: TokenIssuance) => void = () => undefined,
  ) {
    super(file);
  }

  override append(entry: TokenIssuance): void {
    super.append(entry);
    this.also(entry);
  }
}
