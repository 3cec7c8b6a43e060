import type { Times } from '../plan/accessWindows';
import type { Principal } from './names';

// Who can sign in as what, and what that may do: read from the resources that the program registers.

/** Who signs in as an identity. */
export interface Subject {
  /** Tells it from others, on both sides of a comparison. */
  readonly key: string;
  /** `<namespace>/<service account>`, `stored credential of …`, `pods of … labelled …`, or who else it is. */
  readonly text: string;
  /** Name of the cluster in the stack, or the issuer; undefined of what is in no cluster. */
  readonly cluster?: string | undefined;
  /** By which tokens: issuer and audience. */
  readonly trusted?: string | undefined;
  /** Not known who that is: what to look at. */
  readonly notJudged?: string | undefined;
}

/** That a subject can sign in as an identity. */
export interface Trust {
  readonly identity: Principal;
  readonly subject: Subject;
}

/** That an identity is a member of a group. */
export interface Membership {
  readonly group: Principal;
  readonly member: Principal;
}

/** What may be used. */
export interface Target {
  /** Tells it from others, on both sides of a comparison. */
  readonly key: string;
  /** `<vault>/<secret>`, `every secret of <vault>`, or `<role> on <scope>`. */
  readonly text: string;
  /** Not known what it allows: what to look at. */
  readonly notJudged?: string | undefined;
}

/** That a principal may use something. */
export interface Grant {
  readonly principal: Principal;
  readonly target: Target;
  /** By what, if not by a role on just that: `an access policy`, say. */
  readonly by?: string | undefined;
  /** Condition of the role assignment. */
  readonly condition?: string | undefined;
  readonly times?: Times | undefined;
}

/** A part of a resource that no fact is made of, and that may give access all the same. */
export interface Unread {
  /** Kind and name: `Deployment aks-1-orders`. */
  readonly resource: string;
  /** Whether it says nothing that the resource is gone, or that it is new or gone. Default: both have to be looked at. */
  readonly silent?: 'gone' | 'both' | undefined;
  /** Path of the input; empty: the whole. */
  readonly path: string;
  readonly value: string;
}

export interface Facts {
  readonly trusts: readonly Trust[];
  readonly memberships: readonly Membership[];
  readonly grants: readonly Grant[];
  readonly unread: readonly Unread[];
}
