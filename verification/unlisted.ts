import { classifyFailure } from './failure';

/** Something whose contents could not be listed. */
export interface Unlisted {
  /** Name in Azure. */
  name: string;
  /** One line of text without tokens or values. */
  reason: string;
}

const sentences = {
  secrets: (vaults: string) =>
    `Only the secrets that the stack names were checked in ${vaults}: the others could not be listed`,
  trusts: (identities: string) => `Federated credentials of ${identities} could not be listed`,
  bindings: (bindings: string) => `The identity bindings ${bindings} could not be read`,
  signIns: (applications: string) => `Credentials of ${applications} could not be listed`,
  members: (groups: string) => `The members of ${groups} could not be listed`,
  roles: (identities: string) => `The actions of the roles of ${identities} could not be read`,
  grants: (places: string) => `Grants of others could not be listed in ${places}`,
};

/** Returns a note for each reason for which something could not be listed. */
export function notesOf(unlisted: Readonly<Record<keyof typeof sentences, readonly Unlisted[]>>): string[] {
  return (Object.keys(sentences) as (keyof typeof sentences)[]).flatMap((kind) => {
    const reasons = [...new Set(unlisted[kind].map(({ reason }) => reason))];
    return reasons.map((reason) => {
      const names = unlisted[kind].filter((item) => item.reason === reason).map(({ name }) => name);
      return `${sentences[kind](names.join(', '))}: ${reason}`;
    });
  });
}

/** Reads that may be refused. */
export class Refusable {
  /** Refused reads, in order. */
  readonly unlisted: Unlisted[] = [];

  constructor(private readonly limited: <T>(run: () => Promise<T>) => Promise<T>) {}

  /** Returns the result, or undefined if the read is refused. Never rejects. */
  read<T>(name: string, run: () => Promise<T>): Promise<T | undefined> {
    return this.limited(run).catch(
      (error: unknown) => void this.unlisted.push({ name, reason: reasonOf(error) }),
    );
  }
}

/** Returns the reason of a refusal in one line. */
function reasonOf(error: unknown): string {
  // Thrown by @azure/identity if no credential of a chain is available. The message has a line for each.
  const absent = ['AggregateAuthenticationError', 'CredentialUnavailableError'];
  if (error instanceof Error && absent.includes(error.name)) {
    return 'no Azure credential was found: neither AZURE_* or ARM_* variables nor a login of the Azure CLI (az login)';
  }
  // Without the request's ids and path, the same reason has the same text for every vault.
  return classifyFailure(error)
    .text.replace(/ Trace ID: .*$/, '')
    .replace(/ to GET \/\S+\./, '.');
}
