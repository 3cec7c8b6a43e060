/** Who made a resource and when, as the resource manager shows it. */
export interface SystemData {
  createdBy: string;
  createdByType: 'Application';
  createdAt: string;
  lastModifiedBy: string;
  lastModifiedByType: 'Application';
  lastModifiedAt: string;
}

/** A resource or resource group, as the resource manager returns it. */
export interface ResourceDocument {
  id: string;
  name: string;
  /** E.g. `Microsoft.KeyVault/vaults`. */
  type: string;
  location?: string;
  tags?: Record<string, string>;
  /** Members beside `properties` that the type has (`sku`, `identity`, `kind`, `managedBy`). */
  extra?: Record<string, unknown>;
  properties: Record<string, unknown>;
  systemData?: SystemData;
  /** What the local cloud keeps for itself; never in an answer. */
  internal?: Record<string, unknown>;
}

export interface DeletedVaultDocument {
  vault: ResourceDocument;
  /** Milliseconds since the epoch. */
  deletedAt: number;
  purgeAt: number;
}

export interface RoleAssignmentDocument {
  id: string;
  name: string;
  scope: string;
  roleDefinitionId: string;
  principalId: string;
  principalType: string;
  description?: string;
  createdOn: string;
  updatedOn: string;
  createdBy: string;
  updatedBy: string;
}

/** A lock of a subscription, group or resource. */
export interface LockDocument {
  id: string;
  name: string;
  /** What is locked, with everything below it. */
  scope: string;
  level: 'CanNotDelete' | 'ReadOnly';
  notes?: string;
  owners?: { applicationId: string }[];
}

/** A service principal of the directory. */
export interface PrincipalDocument {
  objectId: string;
  clientId: string;
  displayName: string;
  kind: 'application' | 'managedIdentity';
  /** Resource id of the user-assigned identity behind it. */
  resourceId?: string;
  /** Client secrets, salted and hashed. */
  secrets: { salt: string; hash: string; expiresAt: number }[];
  /** PEM certificates whose keys may sign client assertions. */
  certificates: string[];
}

export interface SecretVersionDocument {
  /** 32 hexadecimal digits. */
  version: string;
  /** Encrypted. */
  sealed: string;
  contentType?: string;
  tags?: Record<string, string>;
  enabled: boolean;
  /** Seconds since the epoch, as in the data plane. */
  nbf?: number;
  exp?: number;
  created: number;
  updated: number;
}

export interface SecretDocument {
  vault: string;
  name: string;
  /** Oldest first. */
  versions: SecretVersionDocument[];
  /** Seconds since the epoch. */
  deleted?: { deletedDate: number; scheduledPurgeDate: number };
}

export interface OperationDocument {
  id: string;
  resourceId: string;
  status: 'InProgress' | 'Succeeded' | 'Failed' | 'Canceled';
  startTime: string;
  endTime?: string;
  error?: { code: string; message: string };
  /** What the store holds once it has succeeded, and once it has failed; undefined where nothing waits for it. */
  outcome?: OperationOutcome;
}

/** The resource that an operation leads to (`null`: it is gone), by how the operation ends. */
export interface OperationOutcome {
  succeeded: ResourceDocument | null;
  failed: ResourceDocument | null;
}

/** What a subscription says of a resource provider, where it is not registered since ever. */
export interface RegistrationDocument {
  /** `/subscriptions/{id}/providers/{namespace}`. */
  id: string;
  /** Milliseconds since the epoch from which it is registered; undefined: it was taken off. */
  registeredAt?: number;
}
