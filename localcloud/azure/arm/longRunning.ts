import type { Clock } from '../clock';
import type { Faults } from '../faults';
import type { OperationDocument, OperationOutcome } from '../store/documents';
import type { Store } from '../store/store';
import type { Operations } from './operations';
import { removeTree } from './removal';

/** Milliseconds that a change takes: long enough for clients on a busy machine to see the state in between. */
const DURATION = 1000;

/**
 * Changes that continue after the answer. Their results are stored with the operation, so that a restart completes an
 * interrupted change.
 */
export class LongRunning {
  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
    private readonly operations: Operations,
    private readonly faults: Faults,
  ) {}

  /**
   * Starts a change of a resource.
   *
   * @param refusal error that the operation ends with; omitted for a change that succeeds
   */
  begin(
    resourceId: string,
    outcome: OperationOutcome,
    refusal?: { code: string; message: string },
  ): OperationDocument {
    const operation = this.operations.start(resourceId, outcome);
    this.end(operation, refusal);
    return operation;
  }

  /** Completes interrupted changes after a restart. */
  resume(): void {
    for (const operation of this.operations.interrupted()) this.end(operation);
  }

  private end(operation: OperationDocument, refusal?: { code: string; message: string }): void {
    void this.clock.sleep(DURATION).then(() => {
      // The resource may have been deleted in the meantime, which cancels the operation.
      const current = this.operations.get(operation.id);
      if (current?.status !== 'InProgress' || current.outcome === undefined) return;
      const error = refusal ?? this.faults.provisioningError(current.resourceId);
      const { succeeded, failed } = current.outcome;
      const left = error === undefined ? succeeded : failed;
      if (left === null) removeTree(this.store, current.resourceId);
      else this.store.resources.set(left.id, left);
      if (error === undefined) this.operations.succeed(current.id);
      else this.operations.fail(current.id, error);
    });
  }
}
