import type { Path } from '../settings/problem';

/** A part of a cluster beside its applications, such as the control plane of another cluster. */
export interface ClusterPart {
  /** Its path in the stack file. */
  readonly path: Path;
  /** Names in Azure of its managed identities. */
  readonly managedIdentities: readonly string[];
  /** Names of the secrets in the central vault with the credentials of its applications in Entra. */
  readonly secrets: readonly string[];
  /** Name of the grant to read them. Names of applications' identities contain no underscore. */
  readonly grantee: string;
  /** True if its pods mount secrets with the Secrets Store CSI driver. */
  readonly mountsSecrets: boolean;
  /** The namespaces in which the stack creates objects for it. */
  readonly namespaces: readonly PartNamespace[];
  readonly retainOnDelete: boolean;
}

/** A namespace, and the setting that names it. */
export interface PartNamespace {
  readonly name: string;
  /** True if it already exists and the stack only uses it. */
  readonly existing: boolean;
  /** Path of the setting that names it. */
  readonly path: Path;
  /** Hint if others created it. Default: name another, or use it as existing. */
  readonly hint?: string | undefined;
}
