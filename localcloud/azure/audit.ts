import { JsonLines } from './jsonLines';

/** One request at Entra's token endpoint. Holds no token and no secret. */
export interface TokenIssuance {
  /** RFC 3339. */
  time: string;
  clientId: string;
  objectId?: string;
  displayName?: string;
  grant: 'federated' | 'secret' | 'certificate' | 'none';
  /** As the request has it. */
  scope?: string;
  /** The resource the token is for: the `aud` claim. */
  resource?: string;
  outcome: 'issued' | 'refused';
  /** AADSTS code of a refusal. */
  error?: number;
  /** Of the federated assertion. */
  issuer?: string;
  subject?: string;
  audiences?: string[];
  /** Name of the federated credential that matched. */
  credential?: string;
  /** The `uti` claim of the token issued; the activity log has it of each change that was made with the token. */
  tokenId?: string;
  correlationId: string;
}

/** The record of token issuance. */
export class AuditLog extends JsonLines<TokenIssuance> {}
