import { secretRecovery } from './removal';
import pLimit from 'p-limit';
import type { Access, Session } from './access';
import { attempt, systemClock, type Attempt, type Clock } from './attempt';
import {
  accessWindowsAccount,
  connectionWriterAccount,
  isRole,
  tokenEventsAccount,
  type AssignedRole,
  type GrantedRole,
} from '../stacks/offline';
import { accountName, checkName, withIdentitiesBeside } from './checks';
import type { AccessCheck, SecretRef, ServiceAccountRef, VerifiedOutputs } from './checks';
import type { ReconcilerOutput, WindowCheck, WorkloadOutput } from './checks';
import { checkConnectionWriters } from './connectionWriters';
import { classifyFailure, isTrustRefusal, NotReady, type Failure, type FailureKind } from './failure';
import { planChecks } from './plan';
import type { CheckResult, Outcome, WorkloadResult } from './report';
import { checkGrants } from './foreignGrants';
import { checkGroups, type GroupResult } from './groups';
import { checkHostedClusters, type HostedIdentityResult } from './hostedClusters';
import { checkTrusts } from './foreignTrust';
import { assignedOutcome, unassignedOutcome } from './podIdentity';
import { notesOf } from './unlisted';
import { takeInventory } from './vaultInventory';
import { assignmentOf, findAssignment, judgeWindow } from './windows';
import { annotationOutcome, podsOutcome, runningOutcome } from './workloadState';

export interface VerifyOptions {
  outputs: VerifiedOutputs;
  /** The roles that the stack assigned. */
  assigned: readonly AssignedRole[];
  access: Access;
  /** How long, in seconds from the first check, to wait for what Azure has not propagated yet. */
  timeoutSeconds: number;
  clock?: Clock;
  /** The time by which access windows are judged, in milliseconds since 1970. Default: now. */
  time?: () => number;
  /** Called when a workload's checks are all done. */
  onWorkload?: (result: WorkloadResult) => void;
}

/** What a verification found. */
export interface VerifyResult {
  workloads: WorkloadResult[];
  /** The identities of hosted clusters. */
  hosted: HostedIdentityResult[];
  /** The groups of Entra. */
  groups: GroupResult[];
  /** Those of what the stack made in Azure: what its identities trust, and who was granted what. */
  checks: CheckResult[];
  /** What could not be listed or is not there yet, each a line for people. */
  notes: string[];
}

/** Requests at a time. */
const parallel = 8;

/** Runs every check of the stack. Never rejects because of what a check finds. */
export async function verifyStack(options: VerifyOptions): Promise<VerifyResult> {
  const { access, clock = systemClock } = options;
  const limited = pLimit(parallel);
  const deployed = withIdentitiesBeside(options.outputs);
  const now = new Date();
  const [{ outputs, unlisted, listed }, trusts, grants, groups, writers] = await Promise.all([
    takeInventory(deployed, access, limited),
    checkTrusts(deployed, access, now, limited),
    checkGrants(deployed, options.assigned, access, limited),
    checkGroups(deployed, access, limited),
    checkConnectionWriters(deployed, access, limited),
  ]);
  const deadline = clock.now() + options.timeoutSeconds * 1000;
  const verification = new Verification(
    outputs,
    access,
    (action, mayPass) => attempt(() => limited(action), mayPass, { clock, deadline }),
    options.time ?? Date.now,
  );
  const hosted = await checkHostedClusters(
    outputs,
    access,
    { assignments: grants.assignments, secrets: listed, now },
    limited,
  );
  const workloads = await Promise.all(
    outputs.workloads.map(async (workload) => {
      const checks = planChecks(outputs, workload, access.reasonToReach);
      const result = { workload, outcomes: await verification.outcomes(workload, checks) };
      options.onWorkload?.(result);
      return result;
    }),
  );
  const programs = [
    ...(outputs.reconcilers ?? []).map((identity) => ({ identity, account: accessWindowsAccount })),
    ...(outputs.connectionWriters ?? []).map((identity) => ({ identity, account: connectionWriterAccount })),
  ].map(({ identity, account }) => ({ ...account, cluster: identity.cluster, identity }));
  const reconcilers = await Promise.all([
    ...programs.map((one) => verification.reconciler(one)),
    ...(outputs.tokenEvents ?? []).map((cluster) =>
      verification.reconciler({ ...tokenEventsAccount, cluster }),
    ),
  ]);
  return {
    workloads,
    hosted: hosted.identities,
    groups: groups.groups,
    checks: [...reconcilers, ...writers.checks, ...hosted.checks, ...trusts.checks, ...grants.checks],
    notes: [
      ...hosted.notes,
      ...groups.notes,
      ...notesOf({
        secrets: unlisted,
        trusts: trusts.unlisted,
        grants: grants.unlisted,
        roles: writers.unlisted,
        signIns: hosted.unlisted,
        members: groups.unlisted,
      }),
    ],
  };
}

class Verification {
  constructor(
    private readonly outputs: VerifiedOutputs,
    private readonly access: Access,
    private readonly attempt: <T>(
      action: () => Promise<T>,
      mayPass: readonly FailureKind[],
    ) => Promise<Attempt<T>>,
    private readonly time: () => number,
  ) {}

  async outcomes(
    workload: WorkloadOutput,
    checks: readonly AccessCheck[],
  ): Promise<WorkloadResult['outcomes']> {
    // Only where a check needs its token: an identity that trusts nobody would be tried until the time is up.
    let asked: Promise<Attempt<Session>> | undefined;
    const exchange = () => (asked ??= this.exchange(workload, workload));
    // Before all others: what others are refused for may not be propagated yet.
    if (checks.some(({ kind }) => kind === 'exchange' || kind === 'credential')) await exchange();
    return Promise.all(
      checks.map(async (check) => ({ check, ...(await this.outcome(workload, exchange, check)) })),
    );
  }

  /**
   * The pods of what opens and closes access windows, keeps connection strings current, or writes events of tokens: where none
   * is ready, nothing closes, a changed key does not reach the vault, and no event is written.
   */
  async reconciler({
    cluster,
    namespace,
    serviceAccount,
    identity,
  }: ServiceAccountRef & { readonly identity?: ReconcilerOutput }): Promise<CheckResult> {
    const judge = async () =>
      podsOutcome(
        { namespace, hasPods: true, ...(identity && { identity }) },
        await this.access.pods({ cluster, namespace, serviceAccount }),
      );
    const { ok, detail } = outcomeOf(await this.attempt(judge, ['notReady', 'unavailable']));
    return { cluster, application: namespace, check: checkName({ kind: 'pods' }), ok, detail };
  }

  private async outcome(
    workload: WorkloadOutput,
    exchange: () => Promise<Attempt<Session>>,
    check: AccessCheck,
  ): Promise<Outcome> {
    switch (check.kind) {
      case 'exchange':
        if (check.account === undefined) return exchanged(workload, workload, await exchange());
        return exchanged(workload, check.account, await this.exchange(workload, check.account));
      case 'credential':
        return signedIn(workload, await exchange());
      case 'annotations': {
        const { account } = check;
        const judge = async () =>
          annotationOutcome(this.outputs, workload, await this.access.annotations(account));
        return outcomeOf(await this.attempt(judge, ['unavailable']));
      }
      case 'pods': {
        return outcomeOf(
          await this.attempt(() => runningOutcome(this.access, workload), ['notReady', 'unavailable']),
        );
      }
      case 'assigned':
        return outcomeOf(
          await this.attempt(() => assignedOutcome(this.access, workload), ['notReady', 'unavailable']),
        );
      case 'unassigned':
        return outcomeOf(
          await this.attempt(() => unassignedOutcome(this.access, workload), ['notReady', 'unavailable']),
        );
      case 'revoked':
        return this.revoked(workload, check.account);
      case 'foreignCluster':
      case 'notFederated':
        return this.notTrusted(workload, check.account);
      case 'role':
        return this.role(workload, check);
      case 'read':
      case 'window':
      case 'refused':
      case 'overreach': {
        // Whether a role is assigned is seen without a token.
        if (check.kind === 'window' && isRole(check)) return this.window(workload, check);
        const { value: session, failure } = await exchange();
        if (session === undefined) {
          return { ok: false, detail: `not checked: no token (${failure.code ?? failure.kind})` };
        }
        if (check.kind === 'read') return this.read(workload, session, check);
        if (check.kind === 'window') return this.window(workload, check, () => this.readOnce(session, check));
        return check.kind === 'refused' ? this.refused(session, check) : this.overreach(session, check);
      }
    }
  }

  private exchange(workload: WorkloadOutput, account: ServiceAccountRef): Promise<Attempt<Session>> {
    // One that is revoked is not waited for.
    return this.signIn(workload, account, workload.revoked === true ? [] : ['notPropagated', 'unavailable']);
  }

  private async read(workload: WorkloadOutput, session: Session, secret: SecretRef): Promise<Outcome> {
    const isByGroup = workload.grants.some(
      (one) =>
        one.group !== undefined && !isRole(one) && one.vault === secret.vault && one.secret === secret.secret,
    );
    // A token has the groups of when it was issued.
    const open = isByGroup ? () => this.openSession(workload, workload) : () => Promise.resolve(session);
    // 403 is waited for as well: a role assignment takes minutes to reach a vault.
    const result = await this.readSecret(open, secret, ['forbidden', 'unavailable']);
    const { failure, waited } = result;
    if (failure === undefined) return { ok: true, detail: `read${after(waited)}`, readable: true };
    return { ok: false, detail: `${unreadableDetail(secret, failure)}${gaveUp(waited)}` };
  }

  /** What can be done with a role is not tried, only that it is assigned. */
  private async role(
    { identity }: WorkloadOutput,
    { group, ...granted }: GrantedRole & { group?: string },
  ): Promise<Outcome> {
    const ofGroup = this.outputs.groups.find(({ name }) => name === group);
    const look = () => findAssignment(this.access, ofGroup?.objectId ?? identity.principalId, granted);
    const { value, failure, waited } = await this.attempt(look, ['unavailable']);
    if (failure !== undefined) return { ok: false, detail: `${failure.text}${gaveUp(waited)}` };
    const who = ofGroup === undefined ? '' : ` to the group ${ofGroup.name}`;
    return value === undefined
      ? { ok: false, detail: `is not assigned${who}; \`pulumi up --refresh\` assigns it again` }
      : { ok: true, detail: `assigned${who}`, readable: true };
  }

  /** What has to be opened or closed is waited for: that takes a run of the reconciler, and Azure minutes. */
  private async window(
    workload: WorkloadOutput,
    check: WindowCheck,
    read: () => Promise<void> = () => Promise.resolve(),
  ): Promise<Outcome> {
    const look = async (): Promise<Outcome> => {
      // Not by `readSecret`: that would wait for a place among the requests while this one has one.
      const reading = read();
      const [failure, assignment] = await Promise.all([
        reading.then(() => undefined, classifyFailure),
        assignmentOf(this.access, this.outputs, workload, check),
      ]);
      if (failure?.kind === 'unavailable') await reading;
      const outcome = judgeWindow(check, { now: this.time(), assignment, failure });
      if (!outcome.ok) throw new NotReady(outcome.detail);
      return outcome;
    };
    const { value, failure, waited } = await this.attempt(look, ['notReady', 'unavailable']);
    return value ?? { ok: false, detail: `${failure.text}${gaveUp(waited)}` };
  }

  private async refused(session: Session, secret: SecretRef): Promise<Outcome> {
    const { failure } = await this.readSecret(() => Promise.resolve(session), secret, ['unavailable']);
    if (failure === undefined) {
      return { ok: false, detail: 'readable though not granted to its identity', readable: true };
    }
    if (failure.kind === 'forbidden') return { ok: true, detail: failure.text };
    const detail =
      failure.kind === 'disabled'
        ? 'refused only because it is disabled, not because of the identity'
        : `expected 403 Forbidden, got: ${failure.text}`;
    return { ok: false, detail };
  }

  /** Reported, not failed: it follows from the configuration, and the reader of the report judges it. */
  private async overreach(session: Session, check: SecretRef & { because: string }): Promise<Outcome> {
    const { failure } = await this.readSecret(() => Promise.resolve(session), check, ['unavailable']);
    if (failure === undefined) return { ok: true, detail: `readable: ${check.because}`, readable: true };
    const isRefusal = failure.kind === 'forbidden' || failure.kind === 'disabled';
    return { ok: isRefusal, detail: isRefusal ? `not readable: ${failure.text}` : failure.text };
  }

  private async notTrusted(workload: WorkloadOutput, account: ServiceAccountRef): Promise<Outcome> {
    const { failure } = await this.signIn(workload, account, ['unavailable']);
    const who = `${accountName(account)} of ${account.cluster}`;
    if (failure === undefined) {
      return { ok: false, detail: `${who} was accepted as ${workload.identity.name}` };
    }
    if (!isTrustRefusal(failure)) {
      return { ok: false, detail: `expected a refusal of ${who}, got: ${failure.text}` };
    }
    const standsIn = account.cluster !== workload.cluster && accountName(account) !== accountName(workload);
    const why = standsIn ? ` (${accountName(workload)} does not exist there)` : '';
    return { ok: true, detail: `${who}${why}: ${failure.code ?? failure.text}` };
  }

  /** Entra may accept it for a while after its federated credential was deleted. */
  private async revoked(workload: WorkloadOutput, account: ServiceAccountRef): Promise<Outcome> {
    const who = `${accountName(account)} of ${account.cluster}`;
    const refusal = async (): Promise<Failure> => {
      const token = await this.access.serviceAccountToken(account, workload.audience);
      const accepted = this.access.signIn(workload.identity, () => Promise.resolve(token));
      const failure = await accepted.then(() => undefined, classifyFailure);
      if (failure?.kind === 'unavailable') await accepted;
      if (failure !== undefined) return failure;
      throw new NotReady(`${who} is still accepted as ${workload.identity.name}, although it is revoked`);
    };
    const { value, failure, waited } = await this.attempt(refusal, ['notReady', 'unavailable']);
    if (value === undefined) return { ok: false, detail: `${failure.text}${gaveUp(waited)}` };
    // The last one: the identity trusts nobody at all.
    return isTrustRefusal(value) || value.code === 'AADSTS70025'
      ? { ok: true, detail: `${who}: ${value.code ?? value.text}${after(waited)}` }
      : { ok: false, detail: `expected a refusal of ${who}, got: ${value.text}` };
  }

  private signIn(
    workload: WorkloadOutput,
    account: ServiceAccountRef,
    mayPass: readonly FailureKind[],
  ): Promise<Attempt<Session>> {
    return this.attempt(() => this.openSession(workload, account), mayPass);
  }

  private async openSession(workload: WorkloadOutput, account: ServiceAccountRef): Promise<Session> {
    const { identity, audience, credentialSecret } = workload;
    if (credentialSecret !== undefined) return this.access.signInByCredential(workload, credentialSecret);
    // Asked for outside the credential: a refusal by the cluster is then not taken for Entra's.
    const token = await this.access.serviceAccountToken(account, audience);
    return this.access.signIn(identity, () => Promise.resolve(token));
  }

  private readSecret(
    open: () => Promise<Session>,
    secret: SecretRef,
    mayPass: readonly FailureKind[],
  ): Promise<Attempt<void>> {
    return this.attempt(async () => this.readOnce(await open(), secret), mayPass);
  }

  private async readOnce(session: Session, { vault, secret }: SecretRef): Promise<void> {
    const uri = this.outputs.vaults[vault]?.uri;
    if (uri === undefined) throw new Error(`the stack has no vault ${vault}`);
    await session.readSecret(uri, secret);
  }
}

function exchanged(
  { identity }: WorkloadOutput,
  account: ServiceAccountRef,
  { failure, waited }: Attempt<Session>,
): Outcome {
  if (failure !== undefined) return { ok: false, detail: `${failure.text}${gaveUp(waited)}` };
  return { ok: true, detail: `${accountName(account)} → ${identity.name}${after(waited)}` };
}

function signedIn(
  { identity, credentialSecret = '' }: WorkloadOutput,
  { failure, waited }: Attempt<Session>,
): Outcome {
  if (failure !== undefined) return { ok: false, detail: `${failure.text}${gaveUp(waited)}` };
  return { ok: true, detail: `secret ${credentialSecret} → ${identity.name}${after(waited)}` };
}

function unreadableDetail({ vault, secret }: SecretRef, { kind, text }: Failure): string {
  if (kind === 'forbidden')
    return `${secret} is granted, but the vault refuses it: ${text}; the grant is missing or not propagated yet`;
  // A vault keeps the name of a deleted secret: an update could not write it again (409 Conflict).
  return kind === 'notFound' ? `${text}; if it was deleted: ${secretRecovery(vault, secret)}` : text;
}

function outcomeOf({ value, failure, waited }: Attempt<Outcome>): Outcome {
  if (failure === undefined) return value;
  const remedy = failure.kind === 'notFound' ? '; `pulumi up --refresh` restores it' : '';
  return { ok: false, detail: `${failure.text}${remedy}${gaveUp(waited)}` };
}

/** Said only where something had to be waited for. */
function after(waited: number): string {
  return waited >= 2000 ? ` after ${Math.round(waited / 1000)} s` : '';
}

function gaveUp(waited: number): string {
  return waited >= 1000 ? `; gave up after ${Math.round(waited / 1000)} s` : '';
}
