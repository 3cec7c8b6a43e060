import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { Collection } from './collection';
import type {
  ApplicationDocument,
  BlobDocument,
  CustomRoleDocument,
  DeletedItemDocument,
  DeletedVaultDocument,
  GroupDocument,
  KeyDocument,
  LockDocument,
  OperationDocument,
  PrincipalDocument,
  RegistrationDocument,
  ResourceDocument,
  RoleAssignmentDocument,
  SecretDocument,
} from './documents';
import { SecretBox } from './secretBox';

/** The stored state of the local Azure. */
export class Store {
  /** By resource id: groups and all their resources, down to federated credentials and diagnostic settings. */
  readonly resources: Collection<ResourceDocument>;
  /** By vault name, which is unique in all of Azure. */
  readonly deletedVaults: Collection<DeletedVaultDocument>;
  readonly roleAssignments: Collection<RoleAssignmentDocument>;
  /** By GUID, which is unique in the whole directory. */
  readonly customRoles: Collection<CustomRoleDocument>;
  readonly locks: Collection<LockDocument>;
  /** By object id. */
  readonly principals: Collection<PrincipalDocument>;
  /** By object id. */
  readonly applications: Collection<ApplicationDocument>;
  /** The directory's groups, by object id. */
  readonly groups: Collection<GroupDocument>;
  /** By object id. */
  readonly deletedItems: Collection<DeletedItemDocument>;
  /** By `vault/name`. */
  readonly secrets: Collection<SecretDocument>;
  /** By `vault/name`. */
  readonly keys: Collection<KeyDocument>;
  /** By the id of the account and the path in it, in hexadecimal. */
  readonly blobs: Collection<BlobDocument>;
  readonly operations: Collection<OperationDocument>;
  readonly registrations: Collection<RegistrationDocument>;
  readonly box: SecretBox;

  constructor(readonly folder: string) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    this.resources = new Collection(path.join(folder, 'resources'));
    this.deletedVaults = new Collection(path.join(folder, 'deleted-vaults'));
    this.roleAssignments = new Collection(path.join(folder, 'role-assignments'));
    this.customRoles = new Collection(path.join(folder, 'custom-roles'));
    this.locks = new Collection(path.join(folder, 'locks'));
    this.principals = new Collection(path.join(folder, 'principals'));
    this.applications = new Collection(path.join(folder, 'applications'));
    this.groups = new Collection(path.join(folder, 'groups'));
    this.deletedItems = new Collection(path.join(folder, 'deleted-items'));
    this.secrets = new Collection(path.join(folder, 'secrets'));
    this.keys = new Collection(path.join(folder, 'keys'));
    this.blobs = new Collection(path.join(folder, 'blobs'));
    this.operations = new Collection(path.join(folder, 'operations'));
    this.registrations = new Collection(path.join(folder, 'registrations'));
    this.box = new SecretBox(path.join(folder, 'secrets.key'));
  }

  principalByClientId(clientId: string): PrincipalDocument | undefined {
    const lowerCase = clientId.toLowerCase();
    return this.principals.values().find((principal) => principal.clientId === lowerCase);
  }

  applicationByClientId(clientId: string): ApplicationDocument | undefined {
    const lowerCase = clientId.toLowerCase();
    return this.applications.values().find((application) => application.clientId === lowerCase);
  }

  /** The vault of that name, in any subscription. */
  vaultByName(name: string): ResourceDocument | undefined {
    return this.ofType('Microsoft.KeyVault/vaults').find(
      (vault) => vault.name.toLowerCase() === name.toLowerCase(),
    );
  }

  ofType(type: string): ResourceDocument[] {
    const lowerCase = type.toLowerCase();
    return this.resources.values().filter((resource) => resource.type.toLowerCase() === lowerCase);
  }

  /** Descendants of an id, deepest first, so that a cascade deletes children before parents. */
  below(id: string): ResourceDocument[] {
    const prefix = `${id.toLowerCase()}/`;
    return this.resources
      .values()
      .filter((resource) => resource.id.toLowerCase().startsWith(prefix))
      .sort((a, b) => b.id.length - a.id.length);
  }
}
