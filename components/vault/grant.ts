import type * as pulumi from '@pulumi/pulumi';

/** Who can be granted access: an identity, and later a group. */
export interface Grantee {
  /** Name that its grants are known by in the stack; stable, since it is part of their Pulumi names. */
  readonly grantName: string;
  /** Object id in Entra. */
  readonly principalId: pulumi.Output<string>;
}

/**
 * The statement "this identity may read these secrets", and the resources that make it true. Access exists
 * only once all of them do, so what needs it depends on `dependsOn`, not on the vault or the identity.
 */
export class Grant {
  constructor(
    /** Names of the secrets that are granted. */
    readonly secrets: readonly string[],
    /** The role assignments or the access policy. */
    readonly assignments: readonly pulumi.Resource[],
  ) {}

  /** For the `dependsOn` option of what must not start before access exists. */
  get dependsOn(): pulumi.Resource[] {
    return [...this.assignments];
  }
}
