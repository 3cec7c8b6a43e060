/** Creator and last modifier of a resource, with the times, as the resource manager returns them. */
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
  /** Type-specific members besides `properties` (`sku`, `identity`, `kind`, `managedBy`). */
  extra?: Record<string, unknown>;
  properties: Record<string, unknown>;
  systemData?: SystemData;
  /** Internal members of the local cloud, which are never in an answer. */
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
  condition?: string;
  createdOn: string;
  updatedOn: string;
  createdBy: string;
  updatedBy: string;
}

/** A custom role. */
export interface CustomRoleDocument {
  /** GUID. */
  name: string;
  roleName: string;
  description: string;
  permission: {
    actions: string[];
    notActions: string[];
    dataActions: string[];
    notDataActions: string[];
  };
  assignableScopes: string[];
  createdOn: string;
  updatedOn: string;
  createdBy: string;
  updatedBy: string;
}

/** A lock of a subscription, group or resource. */
export interface LockDocument {
  id: string;
  name: string;
  /** The locked scope; the lock also applies to everything below it. */
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
  /**
   * Resource id of the user-assigned identity, or of the resource with the system-assigned identity. @default none: it is an
   * application's
   */
  resourceId?: string;
  /** True if it can sign in. @default true */
  accountEnabled?: boolean;
  /** Time in RFC 3339 format. @default unknown, as for a managed identity */
  createdAt?: string;
  /** Object ids. @default none */
  owners?: string[];
  /** The other members that Microsoft Graph keeps, as they were last written. @default none */
  properties?: Record<string, unknown>;
}

/** An application of the directory. It has the credentials; its service principal has the access. */
export interface ApplicationDocument {
  objectId: string;
  clientId: string;
  displayName: string;
  /** Time in RFC 3339 format. */
  createdAt: string;
  /** Object ids. */
  owners: string[];
  secrets: ClientSecretDocument[];
  certificates: CertificateDocument[];
  federatedCredentials: FederatedCredentialDocument[];
  /** The other members that Microsoft Graph keeps, as they were last written. */
  properties: Record<string, unknown>;
}

/** A client secret, salted and hashed. */
export interface ClientSecretDocument {
  keyId: string;
  displayName: string | null;
  salt: string;
  hash: string;
  /** The first three characters of the secret. */
  hint: string;
  /** Milliseconds since the epoch. */
  startsAt: number;
  expiresAt: number;
}

/** A certificate whose key may sign client assertions. */
export interface CertificateDocument {
  keyId: string;
  displayName: string | null;
  customKeyIdentifier: string;
  /** The certificate (DER) in base64. */
  der: string;
  /** Milliseconds since the epoch. */
  startsAt: number;
  expiresAt: number;
}

/** A federated identity credential of an application. */
export interface FederatedCredentialDocument {
  id: string;
  name: string;
  issuer: string;
  subject: string;
  audiences: string[];
  description: string | null;
  /** Milliseconds since the epoch. */
  writtenAt: number;
}

/** A security group of the directory. */
export interface GroupDocument {
  objectId: string;
  displayName: string;
  mailNickname: string;
  /** Time in RFC 3339 format. */
  createdAt: string;
  /** Object ids. */
  owners: string[];
  /** Object ids of service principals and groups, including deleted ones. */
  members: string[];
  /** The other members that Microsoft Graph keeps, as they were last written. */
  properties: Record<string, unknown>;
}

/** A deleted application, service principal or group, which can be restored. */
export interface DeletedItemDocument {
  item:
    | { type: 'application'; application: ApplicationDocument }
    | { type: 'servicePrincipal'; principal: PrincipalDocument }
    | { type: 'group'; group: GroupDocument };
  /** Milliseconds since the epoch. */
  deletedAt: number;
}

export interface SecretVersionDocument {
  /** 32 hexadecimal digits. */
  version: string;
  /** The encrypted value. */
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

/** A container, or a blob in one. */
export interface BlobDocument {
  content: string;
  /** Its content type. */
  type: string;
  /** Creation time of its account. */
  created: string;
  lastModified: string;
  etag: string;
}

export interface SecretDocument {
  vault: string;
  name: string;
  /** Oldest first. */
  versions: SecretVersionDocument[];
  /** Seconds since the epoch. */
  deleted?: { deletedDate: number; scheduledPurgeDate: number };
}

export interface KeyVersionDocument {
  /** 32 hexadecimal digits. */
  version: string;
  /** The private key: an encrypted JSON Web Key. */
  sealed: string;
  /** The public parts of the JSON Web Key. */
  n: string;
  e: string;
  operations: string[];
  tags?: Record<string, string>;
  enabled: boolean;
  /** Seconds since the epoch, as in the data plane. */
  created: number;
  updated: number;
}

export interface KeyDocument {
  vault: string;
  name: string;
  /** Oldest first. */
  versions: KeyVersionDocument[];
}

export interface OperationDocument {
  id: string;
  resourceId: string;
  status: 'InProgress' | 'Succeeded' | 'Failed' | 'Canceled';
  startTime: string;
  endTime?: string;
  error?: { code: string; message: string };
  /** The stored resource after success and after failure; undefined if nothing changes. */
  outcome?: OperationOutcome;
}

/** The resource after an operation, by the result of the operation. `null` means that it is deleted. */
export interface OperationOutcome {
  succeeded: ResourceDocument | null;
  failed: ResourceDocument | null;
}

/** The registration of a resource provider in a subscription, if it was ever changed. */
export interface RegistrationDocument {
  /** `/subscriptions/{id}/providers/{namespace}`. */
  id: string;
  /** Milliseconds since the epoch from which it is registered; undefined if it is unregistered. */
  registeredAt?: number;
}
