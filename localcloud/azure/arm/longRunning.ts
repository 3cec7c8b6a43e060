import type { Clock } from '../clock';
import type { Faults } from '../faults';
import type { OperationDocument, OperationOutcome } from '../store/documents';
import type { Store } from '../store/store';
import type { Operations } from './operations';
import { removeTree } from './removal';

/** Milliseconds that a change of a resource takes: long enough for clients to see it under way. */
const DURATION = 300;

/**
 * Changes that go on after the request was answered. What they lead to is recorded with the operation, so that
 * a change that a stop of the local cloud cut short is brought to its end by the next start.
 */
export class LongRunning {
  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
    private readonly operations: Operations,
    private readonly faults: Faults,
  ) {}

  /**
   * Begins a change of the resource with that id.
   * @param refusal what it ends with whatever else holds; nothing for a change that succeeds
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

  /** After a restart: ends what was under way. */
  resume(): void {
    for (const operation of this.operations.interrupted()) this.end(operation);
  }

  private end(operation: OperationDocument, refusal?: { code: string; message: string }): void {
    void this.clock.sleep(DURATION).then(() => {
      // Whoever took the resource away in between has cancelled the operation.
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
