import { JsonLines } from './jsonLines';

/** One request at Entra's token endpoint or at the metadata service. It contains no token and no secret. */
export interface TokenIssuance {
  /** Time in the format of RFC 3339. */
  time: string;
  clientId: string;
  objectId?: string;
  displayName?: string;
  grant: 'federated' | 'secret' | 'certificate' | 'managed identity' | 'none';
  /** Name of the cluster whose node asked for the token of an identity on it. */
  cluster?: string;
  /** The requested scope. */
  scope?: string;
  /** The resource of the token: its `aud` claim. */
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
  /** The `uti` claim of the issued token. The activity log has it for each change that the token made. */
  tokenId?: string;
  correlationId: string;
}

/** The audit record of token requests. */
export class AuditLog extends JsonLines<TokenIssuance> {
  /** @param also what else is done with each request */
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
