import { randomUUID } from 'node:crypto';
import type { Clock } from '../clock';
import { covers } from '../identity/access';
import type { OperationDocument, OperationOutcome } from '../store/documents';
import type { Store } from '../store/store';

/** Seconds that a client should wait between two polls of an operation. */
export const RETRY_AFTER = '1';

const DAY = 24 * 60 * 60 * 1000;

/** Long-running operations. They are stored, so that clients can poll them after a restart. */
export class Operations {
  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
  ) {}

  /** Deletes operations that ended more than a day ago. */
  prune(): void {
    for (const { id, endTime } of this.store.operations.values()) {
      if (endTime !== undefined && Date.parse(endTime) < this.clock.now() - DAY)
        this.store.operations.delete(id);
    }
  }

  private stamp(): string {
    return new Date(this.clock.now()).toISOString();
  }

  start(resourceId: string, outcome?: OperationOutcome): OperationDocument {
    const operation: OperationDocument = {
      id: randomUUID(),
      resourceId,
      status: 'InProgress',
      startTime: this.stamp(),
      ...(outcome === undefined ? {} : { outcome }),
    };
    this.store.operations.set(operation.id, operation);
    return operation;
  }

  get(id: string): OperationDocument | undefined {
    return this.store.operations.get(id);
  }

  succeed(id: string): void {
    this.finish(id, { status: 'Succeeded' });
  }

  fail(id: string, error: { code: string; message: string }): void {
    this.finish(id, { status: 'Failed', error });
  }

  /** Unfinished operations of a resource, oldest first. */
  running(resourceId: string): OperationDocument[] {
    return this.store.operations
      .values()
      .filter(
        (operation) =>
          operation.status === 'InProgress' &&
          operation.resourceId.toLowerCase() === resourceId.toLowerCase(),
      );
  }

  /** Unfinished operations of a resource and of its descendants. */
  runningWithin(resourceId: string): OperationDocument[] {
    return this.store.operations
      .values()
      .filter((operation) => operation.status === 'InProgress' && covers(resourceId, operation.resourceId));
  }

  /** Unfinished operations of an earlier run that have a stored outcome. */
  interrupted(): OperationDocument[] {
    return this.store.operations
      .values()
      .filter(({ status, outcome }) => status === 'InProgress' && outcome !== undefined);
  }

  /** Cancels the operations of a resource that was deleted. */
  cancel(resourceId: string): void {
    for (const operation of this.running(resourceId)) {
      this.finish(operation.id, {
        status: 'Canceled',
        error: {
          code: 'OperationPreempted',
          message: 'A later operation on the same resource replaced this one.',
        },
      });
    }
  }

  /** Cancels the operations of a resource that was deleted, and of its descendants. */
  cancelWithin(resourceId: string): void {
    for (const operation of this.runningWithin(resourceId)) this.cancel(operation.resourceId);
  }

  private finish(id: string, end: Pick<OperationDocument, 'status' | 'error'>): void {
    const operation = this.store.operations.get(id);
    if (operation?.status !== 'InProgress') return;
    this.store.operations.set(id, { ...operation, ...end, endTime: this.stamp() });
  }
}
