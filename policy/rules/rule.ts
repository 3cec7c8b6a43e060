import type { Access } from '../../stacks/access/reach';
import type { EnforcementLevel, PolicyName } from '../../stacks/settings/schema/policies';

/** A resource as the program declares it, before it is created. */
export interface Declared {
  /** Type token without API version, such as `azure-native:keyvault:Vault`. */
  readonly type: string;
  /** Name in the stack. */
  readonly name: string;
  /** A provider creates it; it is not a component. */
  readonly isCustom: boolean;
  /** Type tokens of its parent components. */
  readonly within: readonly string[];
  /** Its inputs. Reading one that is still unknown throws. */
  readonly properties: Readonly<Record<string, unknown>>;
}

/** Settings of a stack that the rules depend on. */
export interface Environment {
  /** Data is kept, and vaults are closed to the internet. */
  readonly production: boolean;
  /** It is the stack of `bootstrap/`, which creates the pipelines' identities. */
  readonly isBootstrap: boolean;
  /** Names of tags that every resource must have. */
  readonly requiredTags: readonly string[];
  /** Keys of the identities that may sign in with a stored password. */
  readonly acceptedPasswords: readonly string[];
  /** Accepted roles on scopes wider than a resource, each as `<GUID> <scope>` in lower case. */
  readonly acceptedRoles: readonly string[];
  /** Issuers that the settings name beside those of the clusters. */
  readonly issuers: readonly string[];
}

interface Described {
  /** Name in reports and in exceptions. */
  readonly name: PolicyName;
  /** One sentence: what is required, and why. */
  readonly description: string;
  /** Level without a setting. Default: mandatory. */
  readonly level?: EnforcementLevel | ((environment: Environment) => EnforcementLevel);
}

/** A rule on single resources. */
export interface Rule extends Described {
  /** Type tokens of the resources that the rule checks. */
  readonly types: readonly string[] | 'all';
  /** Returns the findings, each with the value and the hint. */
  readonly check: (resource: Declared, environment: Environment) => string[];
}

/** Tells whether a rule checks a resource. */
export const isAbout = ({ types }: Rule, { type }: Declared): boolean =>
  types === 'all' || types.includes(type);

/** A finding on one of several resources. */
interface Finding {
  readonly resource: Declared;
  readonly problem: string;
}

/** A rule on all resources of a stack together. Their properties include the known outputs. */
export interface StackRule extends Described {
  /** @param access computes who can use what through these resources */
  readonly checkAll: (
    resources: readonly Declared[],
    environment: Environment,
    access: () => Access,
  ) => Finding[];
}
