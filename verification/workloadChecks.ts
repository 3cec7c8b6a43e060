import type { Access, Session } from './access';
import type { Attempt } from './attempt';
import { exchanged, signedIn, unreadableDetail, outcomeOf, after, gaveUp } from './attempted';
import { isRole, type GrantedRole } from '../stacks/plan/granted';
import { accountName, checkName } from './checks';
import type { AccessCheck, SecretRef, ServiceAccountRef, VerifiedOutputs } from './checks';
import type { ReconcilerOutput, WindowCheck, WorkloadOutput } from './checks';
import { classifyFailure, isTrustRefusal, NotReady, type Failure, type FailureKind } from './failure';
import { userOutcome } from './identityBindings';
import { assignedOutcome, unassignedOutcome } from './podIdentity';
import type { CheckResult, Outcome, WorkloadResult } from './results';
import { assignmentOf, findAssignment, judgeWindow } from './accessWindows';
import { annotationOutcome, podsOutcome, runningOutcome } from './workloadState';

/** The checks of the workloads and programs of a stack. Each is retried while waiting may help. */
export class WorkloadChecks {
  constructor(
    private readonly outputs: VerifiedOutputs,
    private readonly access: Access,
    private readonly attempt: <T>(
      action: () => Promise<T>,
      transient: readonly FailureKind[],
    ) => Promise<Attempt<T>>,
    private readonly time: () => number,
  ) {}

  async outcomes(
    workload: WorkloadOutput,
    checks: readonly AccessCheck[],
  ): Promise<WorkloadResult['outcomes']> {
    // Exchanged only if a check needs the token: for an identity that trusts no account, it would be retried until the
    // timeout.
    let attempted: Promise<Attempt<Session>> | undefined;
    const exchange = () => (attempted ??= this.exchange(workload, workload));
    // Waits first until the trust is propagated: otherwise, other tokens could be refused only for lack of propagation.
    if (checks.some(({ kind }) => kind === 'exchange' || kind === 'credential')) await exchange();
    return Promise.all(
      checks.map(async (check) => ({ check, ...(await this.outcome(workload, exchange, check)) })),
    );
  }

  /**
   * Checks the pods of a reconciler or of the token event writer. If none is ready, no window closes, no changed key reaches
   * the vault, or no event is written.
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
      case 'mayUse':
      case 'mayNotUse': {
        const judge = async () =>
          userOutcome(check, workload.identity, await this.access.clusterRoles(workload.cluster));
        return outcomeOf(await this.attempt(judge, ['unavailable']));
      }
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
        // Checking a role needs no token.
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
    // A revoked one is not retried.
    return this.signIn(workload, account, workload.revoked === true ? [] : ['notPropagated', 'unavailable']);
  }

  private async read(workload: WorkloadOutput, session: Session, secret: SecretRef): Promise<Outcome> {
    const isByGroup = workload.grants.some(
      (grant) =>
        grant.group !== undefined &&
        !isRole(grant) &&
        grant.vault === secret.vault &&
        grant.secret === secret.secret,
    );
    // A token has the groups at the time of its issue, so each try signs in again.
    const open = isByGroup ? () => this.openSession(workload, workload) : () => Promise.resolve(session);
    // 403 is retried as well: a role assignment takes minutes to reach a vault.
    const { failure, waited } = await this.readSecret(open, secret, ['forbidden', 'unavailable']);
    if (failure === undefined) return { ok: true, detail: `read${after(waited)}`, readable: true };
    return { ok: false, detail: `${unreadableDetail(secret, failure)}${gaveUp(waited)}` };
  }

  /** Checks that a role is assigned, but not what it allows. */
  private async role(
    { identity }: WorkloadOutput,
    { group, ...granted }: GrantedRole & { group?: string },
  ): Promise<Outcome> {
    const ofGroup = this.outputs.groups.find(({ name }) => name === group);
    const find = () => findAssignment(this.access, ofGroup?.objectId ?? identity.principalId, granted);
    const { value, failure, waited } = await this.attempt(find, ['unavailable']);
    if (failure !== undefined) return { ok: false, detail: `${failure.text}${gaveUp(waited)}` };
    const toGroup = ofGroup === undefined ? '' : ` to the group ${ofGroup.name}`;
    return value === undefined
      ? { ok: false, detail: `is not assigned${toGroup}; \`pulumi up --refresh\` assigns it again` }
      : { ok: true, detail: `assigned${toGroup}`, readable: true };
  }

  /** Waits until the window is open or closed, which takes a run of the reconciler and minutes in Azure. */
  private async window(
    workload: WorkloadOutput,
    check: WindowCheck,
    read: () => Promise<void> = () => Promise.resolve(),
  ): Promise<Outcome> {
    const judge = async (): Promise<Outcome> => {
      // Not `readSecret`: it would wait for a slot of the limit while this request holds one.
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
    const { value, failure, waited } = await this.attempt(judge, ['notReady', 'unavailable']);
    return value ?? { ok: false, detail: `${failure.text}${gaveUp(waited)}` };
  }

  private async refused(session: Session, secret: SecretRef): Promise<Outcome> {
    const { failure } = await this.readSecret(() => Promise.resolve(session), secret, ['unavailable']);
    if (failure === undefined) {
      return { ok: false, detail: 'readable although not granted to its identity', readable: true };
    }
    if (failure.kind === 'forbidden') return { ok: true, detail: failure.text };
    const detail =
      failure.kind === 'disabled'
        ? 'refused only because it is disabled, not because of the identity'
        : `expected 403 Forbidden, got: ${failure.text}`;
    return { ok: false, detail };
  }

  /** Readable overreach is reported but does not fail: it follows from the configuration. */
  private async overreach(session: Session, check: SecretRef & { because: string }): Promise<Outcome> {
    const { failure } = await this.readSecret(() => Promise.resolve(session), check, ['unavailable']);
    if (failure === undefined) return { ok: true, detail: `readable: ${check.because}`, readable: true };
    const isRefusal = failure.kind === 'forbidden' || failure.kind === 'disabled';
    return { ok: isRefusal, detail: isRefusal ? `not readable: ${failure.text}` : failure.text };
  }

  private async notTrusted(workload: WorkloadOutput, account: ServiceAccountRef): Promise<Outcome> {
    const { failure } = await this.signIn(workload, account, ['unavailable']);
    const caller = `${accountName(account)} of ${account.cluster}`;
    if (failure === undefined) {
      return { ok: false, detail: `${caller} was accepted as ${workload.identity.name}` };
    }
    if (!isTrustRefusal(failure)) {
      return { ok: false, detail: `expected a refusal of ${caller}, got: ${failure.text}` };
    }
    const standsIn = account.cluster !== workload.cluster && accountName(account) !== accountName(workload);
    const note = standsIn ? ` (${accountName(workload)} does not exist there)` : '';
    return { ok: true, detail: `${caller}${note}: ${failure.code ?? failure.text}` };
  }

  /** Waits for the refusal: Entra may accept a token for a while after the federated credential was deleted. */
  private async revoked(workload: WorkloadOutput, account: ServiceAccountRef): Promise<Outcome> {
    const caller = `${accountName(account)} of ${account.cluster}`;
    const refusal = async (): Promise<Failure> => {
      const token = await this.access.serviceAccountToken(account, workload.audience);
      const accepted = this.access.signIn(workload.identity, () => Promise.resolve(token));
      const failure = await accepted.then(() => undefined, classifyFailure);
      if (failure?.kind === 'unavailable') await accepted;
      if (failure !== undefined) return failure;
      throw new NotReady(`${caller} is still accepted as ${workload.identity.name}, although it is revoked`);
    };
    const { value, failure, waited } = await this.attempt(refusal, ['notReady', 'unavailable']);
    if (value === undefined) return { ok: false, detail: `${failure.text}${gaveUp(waited)}` };
    // AADSTS70025: the identity has no federated credentials at all.
    return isTrustRefusal(value) || value.code === 'AADSTS70025'
      ? { ok: true, detail: `${caller}: ${value.code ?? value.text}${after(waited)}` }
      : { ok: false, detail: `expected a refusal of ${caller}, got: ${value.text}` };
  }

  private signIn(
    workload: WorkloadOutput,
    account: ServiceAccountRef,
    transient: readonly FailureKind[],
  ): Promise<Attempt<Session>> {
    return this.attempt(() => this.openSession(workload, account), transient);
  }

  private async openSession(workload: WorkloadOutput, account: ServiceAccountRef): Promise<Session> {
    const { identity, audience, credentialSecret } = workload;
    if (credentialSecret !== undefined) return this.access.signInByCredential(workload, credentialSecret);
    // Requested outside the credential: a refusal by the cluster must not look like Entra's.
    const token = await this.access.serviceAccountToken(account, audience);
    return this.access.signIn(identity, () => Promise.resolve(token));
  }

  private readSecret(
    open: () => Promise<Session>,
    secret: SecretRef,
    transient: readonly FailureKind[],
  ): Promise<Attempt<void>> {
    return this.attempt(async () => this.readOnce(await open(), secret), transient);
  }

  private async readOnce(session: Session, { vault, secret }: SecretRef): Promise<void> {
    const uri = this.outputs.vaults[vault]?.uri;
    if (uri === undefined) throw new Error(`the stack has no vault ${vault}`);
    await session.readSecret(uri, secret);
  }
}
