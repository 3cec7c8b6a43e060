import type { ServiceError } from '@grpc/grpc-js';
import { ErrorResourceInitFailed } from '@pulumi/pulumi/proto/provider_pb';
import { Status } from '@pulumi/pulumi/proto/status_pb';
import type { Properties } from '../../../plugins/protocol';
import { decode } from '../../../plugins/protocol/structs';

/** What the engine records of a partial failure, from the details of a plugin's error. */
export function partialFailure(error: unknown): { id: string; state: Properties } | undefined {
  const [detail] = (error as ServiceError).metadata.get('grpc-status-details-bin');
  const [packed] = Status.deserializeBinary(new Uint8Array(detail as Buffer)).getDetailsList();
  const failed = packed?.unpack(
    (bytes) => ErrorResourceInitFailed.deserializeBinary(bytes),
    'pulumirpc.ErrorResourceInitFailed',
  );
  return failed ? { id: failed.getId(), state: decode(failed.getProperties()) } : undefined;
}
