import type { Principal } from './names';
import type { Times } from './times';

// Who can sign in as which identity and what that may use, read from the registered resources.

/** Holder of tokens that signs in as an identity. */
export interface Subject {
  /** Unique key, the same on both sides of a comparison. */
  readonly key: string;
  /** `<namespace>/<service account>`, `stored credential of …`, `pods of … labelled …`, or another subject. */
  readonly text: string;
  /** Name of the cluster in the stack, or the issuer; undefined for a subject outside clusters. */
  readonly cluster?: string | undefined;
  /** Trusted tokens: issuer and audience. */
  readonly trusted?: string | undefined;
  /** Question that a reviewer has to answer about an unknown subject. */
  readonly notJudged?: string | undefined;
}

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
export interface Target {
  /** Unique key, the same on both sides of a comparison. */
  readonly key: string;
  /** `<vault>/<secret>`, `every secret of <vault>`, or `<role> on <scope>`. */
  readonly text: string;
  /** Question that a reviewer has to answer about an unknown target. */
  readonly notJudged?: string | undefined;
}

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
export interface Unread {
  /** Kind and name: `Deployment aks-1-orders`. */
  readonly resource: string;
  /** No report if the resource is gone, or if it is new or gone. Default: report both. */
  readonly silent?: 'gone' | 'both' | undefined;
  /** Path of the input; empty for the whole resource. */
  readonly path: string;
  readonly value: string;
}

export interface Facts {
  readonly trusts: readonly Trust[];
  readonly memberships: readonly Membership[];
  readonly grants: readonly Grant[];
  readonly unread: readonly Unread[];
}
