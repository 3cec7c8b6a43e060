import * as z from 'zod';
import type { Principal } from './names';
import type { Times } from './times';

// Who can sign in as which identity and what that may use, read from the registered resources.

/** Holder of tokens that signs in as an identity. */
export const subject = z.strictObject({
  /** Unique key, the same on both sides of a comparison. */
  key: z.string(),
  /** `<namespace>/<service account>`, `stored credential of …`, `pods of … labelled …`, or another subject. */
  text: z.string(),
  /** Name of the cluster in the stack, or the issuer; undefined for a subject outside clusters. */
  cluster: z.string().optional(),
  /** Trusted tokens: issuer and audience. */
  trusted: z.string().optional(),
  /** Question that a reviewer has to answer about an unknown subject. */
  notJudged: z.string().optional(),
});
export type Subject = z.output<typeof subject>;

/** A subject can sign in as an identity. */
export interface Trust {
  readonly identity: Principal;
  readonly subject: Subject;
}

/** An identity is a member of a group. */
export interface Membership {
  readonly group: Principal;
  readonly member: Principal;
}

/** A secret or role that may be used. */
export const target = z.strictObject({
  /** Unique key, the same on both sides of a comparison. */
  key: z.string(),
  /** `<vault>/<secret>`, `every secret of <vault>`, or `<role> on <scope>`. */
  text: z.string(),
  /** Question that a reviewer has to answer about an unknown target. */
  notJudged: z.string().optional(),
});
export type Target = z.output<typeof target>;

/** A principal may use a target. */
export interface Grant {
  readonly principal: Principal;
  readonly target: Target;
  /** The source of the grant, such as `an access policy`. Default: a role on exactly the target. */
  readonly by?: string | undefined;
  /** Condition of the role assignment. */
  readonly condition?: string | undefined;
  readonly times?: Times | undefined;
}

/** An input that is not understood as a fact, but may give access. */
export const unread = z.strictObject({
  /** Kind and name: `Deployment aks-1-orders`. */
  resource: z.string(),
  /** No report if the resource is gone, or if it is new or gone. Default: report both. */
  silent: z.enum(['gone', 'both']).optional(),
  /** Path of the input; empty for the whole resource. */
  path: z.string(),
  value: z.string(),
});
export type Unread = z.output<typeof unread>;

export interface Facts {
  readonly trusts: readonly Trust[];
  readonly memberships: readonly Membership[];
  readonly grants: readonly Grant[];
  readonly unread: Unread[];
}
