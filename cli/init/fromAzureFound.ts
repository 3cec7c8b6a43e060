import { subjectOf } from '../../components/identity/subjects';
import type { VaultAccess } from '../../components/vault/access';
import type { AccessPolicy, FederatedCredential, RoleAssignment } from '../../verification/access';

/** A service account of a cluster. */
export interface FoundAccount {
  readonly namespace: string;
  readonly name: string;
  /** Its annotation `azure.workload.identity/client-id`. */
  readonly clientId: string | undefined;
  /** Its annotation `azure.workload.identity/tenant-id`. */
  readonly tenantId: string | undefined;
  /** Number of pods that run under it and have not ended. */
  readonly pods: number;
}

/** An AKS cluster. */
export interface FoundCluster {
  readonly id: string;
  readonly location: string;
  /** Issuer of its service accounts' tokens; undefined if it is disabled. */
  readonly issuer: string | undefined;
  /** Disabled features that workload identity needs. */
  readonly disabled: readonly string[];
  /** Undefined for a cluster that is left out: not named, or without workload identity. */
  readonly accounts: readonly FoundAccount[] | undefined;
}

/** A user-assigned identity. */
export interface FoundIdentity {
  readonly id: string;
  readonly clientId: string;
  readonly principalId: string;
  readonly tenantId: string;
  readonly credentials: readonly FederatedCredential[];
  /** True if a cluster's nodes or add-ons run as it. */
  readonly isOfCluster: boolean;
}

/** A vault. */
export interface FoundVault {
  readonly id: string;
  readonly location: string;
  readonly access: VaultAccess;
  readonly policies: readonly AccessPolicy[];
  /** Names of its secrets. */
  readonly secrets: readonly string[];
}

/** Resources of a subscription, or of some of its resource groups. */
export interface Found {
  /** All clusters of the subscription, because issuers identify the clusters that credentials are for. */
  readonly clusters: readonly FoundCluster[];
  readonly identities: readonly FoundIdentity[];
  readonly vaults: readonly FoundVault[];
  readonly assignments: readonly RoleAssignment[];
}

/** Something that the stack file does not express, or that a person should look at. */
export interface Finding {
  readonly kind:
    | 'broadGrant'
    | 'broadSubject'
    | 'disabledCluster'
    | 'foreignGrant'
    | 'foreignIssuer'
    | 'guessedVault'
    | 'missingAccount'
    | 'missingSecret'
    | 'noPods'
    | 'noVault'
    | 'otherAnnotation'
    | 'otherAudience'
    | 'otherRole'
    | 'otherVault'
    | 'reservedNamespace'
    | 'sharedIdentity'
    | 'unexplainedGrant'
    | 'unreadVault'
    | 'untrustedAccount'
    | 'unusedIdentity';
  /** Subject of the sentence. */
  readonly what: string;
  /** The rest of the sentence. */
  readonly problem: string;
  /** Next step for the user, as sentences. */
  readonly hint: string;
}

/** Returns the name of a resource from its id. */
export const nameIn = (id: string): string => id.split('/').at(-1) ?? '';

/** Returns the subject of the tokens of a service account. */
export const subjectFor = ({ namespace, name }: FoundAccount): string =>
  subjectOf({ namespace, serviceAccount: name });

/** Tells whether two ids or GUIDs are the same; Azure compares them case-insensitively. */
export const isSameId = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();
