import pLimit from 'p-limit';
import type { StackOutputs } from '../stacks/outputs/outputs';
import type { Access, Session } from './access';
import type { Check, SecretRef, ServiceAccountRef, WorkloadOutput, WorkloadPlan } from './checks';
import { checkName } from './checks';
import type { Failure } from './failure';
import { classifyFailure, isTrustRefusal } from './failure';
import { planChecks } from './plan';
import type { WorkloadResult } from './report';
import type { Clock } from './retry';
import { retryUntil, systemClock } from './retry';
import { takeInventory, type UnlistedVault } from './vaultInventory';

export interface VerifyOptions {
  outputs: StackOutputs;
  access: Access;
  /** How long, in seconds from the first check, to wait for what Azure has not propagated yet. */
  timeoutSeconds: number;
  /** Requests at a time. @default 8 */
  parallel?: number;
  clock?: Clock;
  /** Called when a workload's checks are all done. */
  onWorkload?: (result: WorkloadResult) => void;
}

/** What a verification found. */
export interface VerifyResult {
  workloads: WorkloadResult[];
  /** Vaults of which only the secrets that the stack names were tried. */
  unlisted: UnlistedVault[];
}

/** A check's outcome; `readable` says whether a secret could be read. */
interface Outcome {
  ok: boolean;
  detail: string;
  readable?: boolean;
}

type Attempt<T> = { value: T; failure?: undefined } | { value?: undefined; failure: Failure };

/** Runs every check of the stack. Never rejects because of what a check finds. */
export async function verifyStack(options: VerifyOptions): Promise<VerifyResult> {
  const clock = options.clock ?? systemClock;
  const limited = pLimit(options.parallel ?? 8);
  const { outputs, unlisted } = await takeInventory(options.outputs, options.access, limited);
  const deadline = clock.now() + options.timeoutSeconds * 1000;
  const run = new Verification(outputs, options.access, clock, deadline, limited);
  const workloads = await Promise.all(
    planChecks(outputs).map(async (plan) => {
      const result = await run.workload(plan);
      options.onWorkload?.(result);
      return result;
    }),
  );
  return { workloads, unlisted };
}

class Verification {
  constructor(
    private readonly outputs: StackOutputs,
    private readonly access: Access,
    private readonly clock: Clock,
    private readonly deadline: number,
    private readonly limited: ReturnType<typeof pLimit>,
  ) {}

  async workload(plan: WorkloadPlan): Promise<WorkloadResult> {
    const { workload } = plan;
    const exchange = await this.exchange(workload);
    const results = await Promise.all(
      plan.checks.map(async (check) => {
        const outcome = await this.check(workload, exchange, check);
        return {
          cluster: workload.cluster,
          application: workload.application,
          check: checkName(check),
          ok: outcome.ok,
          detail: outcome.detail,
          readable: outcome.readable ?? false,
        };
      }),
    );
    return { plan, results };
  }

  private async check(
    workload: WorkloadOutput,
    exchange: { attempt: Attempt<Session>; waited: number },
    check: Check,
  ): Promise<Outcome> {
    switch (check.kind) {
      case 'exchange':
        return exchange.attempt.failure === undefined
          ? { ok: true, detail: `${workload.subject} → ${workload.identity.name}${after(exchange.waited)}` }
          : { ok: false, detail: `${exchange.attempt.failure.text}${gaveUp(exchange)}` };
      case 'furtherAccount':
        return this.furtherAccount(workload, check.account);
      case 'foreignCluster':
      case 'notFederated':
        return this.notTrusted(workload, check);
      case 'read':
      case 'refused':
      case 'overreach': {
        const { value: session, failure } = exchange.attempt;
        if (session === undefined)
          return { ok: false, detail: `not checked: no token (${failure.code ?? failure.kind})` };
        if (check.kind === 'read') return this.read(session, check);
        return check.kind === 'refused' ? this.refused(session, check) : this.overreach(session, check);
      }
    }
  }

  private async furtherAccount(workload: WorkloadOutput, account: ServiceAccountRef): Promise<Outcome> {
    const exchange = await this.exchange(workload, account);
    const { failure } = exchange.attempt;
    if (failure !== undefined) return { ok: false, detail: `${failure.text}${gaveUp(exchange)}` };
    const who = `${account.namespace}/${account.serviceAccount}`;
    return { ok: true, detail: `${who} → ${workload.identity.name}${after(exchange.waited)}` };
  }

  /** The token of the workload, or of a further account of it, for its identity: waits for what is not propagated yet. */
  private exchange(
    workload: WorkloadOutput,
    account: ServiceAccountRef = workload,
  ): Promise<{ attempt: Attempt<Session>; waited: number }> {
    return this.persist(
      () => this.signIn(workload, account),
      ({ kind }) => kind === 'notPropagated' || kind === 'unavailable',
    );
  }

  private async read(session: Session, secret: SecretRef): Promise<Outcome> {
    // 403 is waited for as well: a role assignment takes minutes to reach a vault.
    const { attempt, waited } = await this.persist(
      () => this.readSecret(session, secret),
      ({ kind }) => kind === 'forbidden' || kind === 'unavailable',
    );
    if (attempt.failure === undefined) return { ok: true, detail: `read${after(waited)}`, readable: true };
    const told =
      attempt.failure.kind === 'forbidden'
        ? `${secret.secret} is granted, but the vault refuses it: ${attempt.failure.text}; the grant is missing or not propagated yet`
        : attempt.failure.text;
    return { ok: false, detail: `${told}${gaveUp({ attempt, waited })}` };
  }

  private async refused(session: Session, secret: SecretRef): Promise<Outcome> {
    const { attempt } = await this.persist(
      () => this.readSecret(session, secret),
      ({ kind }) => kind === 'unavailable',
    );
    if (attempt.failure === undefined) {
      return { ok: false, detail: 'readable though not granted to its identity', readable: true };
    }
    if (attempt.failure.kind === 'disabled') {
      return { ok: false, detail: 'refused only because it is disabled, not because of the identity' };
    }
    if (attempt.failure.kind === 'forbidden') return { ok: true, detail: attempt.failure.text };
    return { ok: false, detail: `expected 403 Forbidden, got: ${attempt.failure.text}` };
  }

  /** Listed, not failed: the configuration's own consequence, which the reader of the report judges. */
  private async overreach(session: Session, check: SecretRef & { because: string }): Promise<Outcome> {
    const { attempt } = await this.persist(
      () => this.readSecret(session, check),
      ({ kind }) => kind === 'unavailable',
    );
    if (attempt.failure === undefined)
      return { ok: true, detail: `readable: ${check.because}`, readable: true };
    if (attempt.failure.kind === 'forbidden' || attempt.failure.kind === 'disabled')
      return { ok: true, detail: `not readable: ${attempt.failure.text}` };
    return { ok: false, detail: attempt.failure.text };
  }

  private async notTrusted(
    workload: WorkloadOutput,
    check: Extract<Check, { account: ServiceAccountRef }>,
  ): Promise<Outcome> {
    const { attempt } = await this.persist(
      () => this.signIn(workload, check.account),
      ({ kind, code }) => kind === 'unavailable' || code === 'AADSTS90061',
    );
    const { cluster, namespace, serviceAccount } = check.account;
    const who = `${namespace}/${serviceAccount} of ${cluster}`;
    if (attempt.failure === undefined) {
      return { ok: false, detail: `${who} was accepted as ${workload.identity.name}` };
    }
    if (!isTrustRefusal(attempt.failure)) {
      return { ok: false, detail: `expected a refusal of ${who}, got: ${attempt.failure.text}` };
    }
    const stand =
      check.kind === 'foreignCluster' && !check.sameName
        ? ` (${workload.namespace}/${workload.serviceAccount} does not exist there)`
        : '';
    return { ok: true, detail: `${who}${stand}: ${attempt.failure.code ?? attempt.failure.text}` };
  }

  private signIn(workload: WorkloadOutput, account: ServiceAccountRef): Promise<Attempt<Session>> {
    return settle(
      this.limited(async () => {
        // Asked for outside the credential: a refusal by the cluster is then not taken for Entra's.
        const token = await this.access.serviceAccountToken(account, workload.audience);
        return this.access.signIn(workload.identity, () => Promise.resolve(token));
      }),
    );
  }

  private readSecret(session: Session, { vault, secret }: SecretRef): Promise<Attempt<true>> {
    const uri = this.outputs.vaults[vault]?.uri;
    if (uri === undefined) {
      return Promise.resolve({ failure: { kind: 'other', text: `the stack has no vault ${vault}` } });
    }
    return settle(this.limited(() => session.readSecret(uri, secret).then(() => true as const)));
  }

  private async persist<T>(
    attempt: () => Promise<Attempt<T>>,
    again: (failure: Failure) => boolean,
  ): Promise<{ attempt: Attempt<T>; waited: number }> {
    const { result, waited } = await retryUntil(attempt, {
      again: ({ failure }) => failure !== undefined && again(failure),
      deadline: this.deadline,
      clock: this.clock,
    });
    return { attempt: result, waited };
  }
}

async function settle<T>(work: Promise<T>): Promise<Attempt<T>> {
  try {
    return { value: await work };
  } catch (error) {
    return { failure: classifyFailure(error) };
  }
}

function seconds(milliseconds: number): string {
  return `${Math.round(milliseconds / 1000)} s`;
}

/** Said only where something had to be waited for. */
function after(waited: number): string {
  return waited >= 2000 ? ` after ${seconds(waited)}` : '';
}

function gaveUp({ attempt, waited }: { attempt: Attempt<unknown>; waited: number }): string {
  return attempt.failure !== undefined && waited >= 1000 ? `; gave up after ${seconds(waited)}` : '';
}
