import { appendFileSync, existsSync, readFileSync } from 'node:fs';

/** One request at Entra's token endpoint. Holds no token and no secret. */
export interface TokenIssuance {
  /** RFC 3339. */
  time: string;
  clientId: string;
  objectId?: string;
  displayName?: string;
  grant: 'federated' | 'secret' | 'certificate' | 'none';
  /** The resource the token is for. */
  resource?: string;
  outcome: 'issued' | 'refused';
  /** AADSTS code of a refusal. */
  error?: number;
  /** Of the federated assertion. */
  issuer?: string;
  subject?: string;
  /** Name of the federated credential that matched. */
  credential?: string;
  /** The `uti` claim of the token issued. */
  tokenId?: string;
  correlationId: string;
}

/** Characters of what an unknown caller sent that are kept: issuers and subjects have at most 600. */
const LONGEST = 1000;

const cut = (_name: string, value: unknown): unknown =>
  typeof value === 'string' && value.length > LONGEST ? `${value.slice(0, LONGEST)}…` : value;

/** The record of token issuance: one JSON document a line, only ever appended to. */
export class AuditLog {
  constructor(readonly file: string) {}

  append(entry: TokenIssuance): void {
    appendFileSync(this.file, `${JSON.stringify(entry, cut)}\n`, { mode: 0o600 });
  }

  /** Oldest first. A line that a kill cut short is left out. */
  read(): TokenIssuance[] {
    if (!existsSync(this.file)) return [];
    return readFileSync(this.file, 'utf8')
      .split('\n')
      .flatMap((line) => {
        try {
          return line === '' ? [] : [JSON.parse(line) as TokenIssuance];
        } catch {
          return [];
        }
      });
  }
}
