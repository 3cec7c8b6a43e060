import type { Access, EnforcementLevel, PolicyName } from '../../stacks/offline';

/** A resource as the program declares it, before it is made. */
export interface Declared {
  /** Type token without the version of the API: `azure-native:keyvault:Vault`. */
  readonly type: string;
  /** Name in the stack. */
  readonly name: string;
  /** A provider makes it: it is no component. */
  readonly isCustom: boolean;
  /** Type tokens of the components that it is in. */
  readonly within: readonly string[];
  /** Its inputs. To read one that is not known yet throws. */
  readonly properties: Readonly<Record<string, unknown>>;
}

/** What differs from one stack to the next. */
export interface Environment {
  /** Data is kept, and vaults are closed to the internet. */
  readonly production: boolean;
  /** It is the stack of `bootstrap/`, which makes what pipelines sign in as. */
  readonly isBootstrap: boolean;
  /** Names of tags that every resource has. */
  readonly requiredTags: readonly string[];
  /** Keys of the identities that the settings let sign in by a stored password. */
  readonly acceptedPasswords: readonly string[];
  /** The roles on more than a resource to which the settings consent, each as `<GUID> <scope>` in lower case. */
  readonly acceptedRoles: readonly string[];
  /** Issuers of the hosted clusters. */
  readonly issuers: readonly string[];
}

interface Described {
  /** Name in reports and in exceptions. */
  readonly name: PolicyName;
  /** One sentence: what is required, and why. */
  readonly description: string;
  /** Level where the settings give none. Default: mandatory. */
  readonly level?: EnforcementLevel | ((environment: Environment) => EnforcementLevel);
}

/** What is required of single resources. */
export interface Rule extends Described {
  /** Type tokens of the resources that it is about. */
  readonly types: readonly string[] | 'all';
  /** What is wrong, each with the value and the remedy. */
  readonly check: (resource: Declared, environment: Environment) => string[];
}

/** Whether a rule is about a resource. */
export const isAbout = ({ types }: Rule, { type }: Declared): boolean =>
  types === 'all' || types.includes(type);

/** Something wrong in one of several resources. */
interface Finding {
  readonly resource: Declared;
  readonly what: string;
}

/** What is required of the resources of a stack together. Of their outputs, they have what is known. */
export interface StackRule extends Described {
  /** @param access who can use what by these resources, found when it is asked for */
  readonly checkAll: (
    resources: readonly Declared[],
    environment: Environment,
    access: () => Access,
  ) => Finding[];
}
