import { classifyFailure } from './failure';

/** Something of which could not be listed what is in it. */
export interface Unlisted {
  /** Name in Azure. */
  name: string;
  /** One line for people, without tokens or values. */
  reason: string;
}

const sentences = {
  secrets: (vaults: string) =>
    `Only the secrets that the stack names were tried in ${vaults}: what else is there could not be listed`,
  trusts: (identities: string) => `What else ${identities} may trust could not be listed`,
  signIns: (applications: string) => `By what else ${applications} may sign in could not be listed`,
  members: (groups: string) => `The members of ${groups} could not be listed`,
  roles: (identities: string) => `What the roles of ${identities} allow could not be read`,
  grants: (places: string) => `Grants of others could not be listed in ${places}`,
};

/** What could not be listed, a line for each reason. */
export function notesOf(unlisted: Readonly<Record<keyof typeof sentences, readonly Unlisted[]>>): string[] {
  return (Object.keys(sentences) as (keyof typeof sentences)[]).flatMap((what) => {
    const reasons = [...new Set(unlisted[what].map(({ reason }) => reason))];
    return reasons.map((reason) => {
      const names = unlisted[what].filter((one) => one.reason === reason).map(({ name }) => name);
      return `${sentences[what](names.join(', '))}: ${reason}`;
    });
  });
}

/** Reads that may be refused. */
export class Refusable {
  /** What could not be read, in the order in which it was refused. */
  readonly unlisted: Unlisted[] = [];

  constructor(private readonly limited: <T>(run: () => Promise<T>) => Promise<T>) {}

  /** What is read; undefined if that is refused. Never rejects. */
  read<T>(name: string, run: () => Promise<T>): Promise<T | undefined> {
    return this.limited(run).catch(
      (error: unknown) => void this.unlisted.push({ name, reason: reasonOf(error) }),
    );
  }
}

/** Why something could not be listed, in one line. */
function reasonOf(error: unknown): string {
  // What @azure/identity throws when none of a chain's credentials is there; its message has a line for each.
  const absent = ['AggregateAuthenticationError', 'CredentialUnavailableError'];
  if (error instanceof Error && absent.includes(error.name)) {
    return 'no Azure credential was found: neither AZURE_* or ARM_* variables nor a login of the Azure CLI (az login)';
  }
  // Entra's ids of the one request, and the vault's path, would make the same reason another one for each vault.
  return classifyFailure(error)
    .text.replace(/ Trace ID: .*$/, '')
    .replace(/ to GET \/\S+\./, '.');
}
