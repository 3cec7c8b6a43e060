import * as grpc from '@grpc/grpc-js';
import { Any } from 'google-protobuf/google/protobuf/any_pb';
import { ErrorResourceInitFailed } from '@pulumi/pulumi/proto/provider_pb';
import { Status } from '@pulumi/pulumi/proto/status_pb';
import { PartialFailure, Unsupported } from './errors';
import { encode } from './structs';
import type { Properties } from './values';
import { reason } from '../../logger';

/** Returns the gRPC status for an error. The engine shows `details` to the user unchanged. */
export function statusOf(error: unknown, inputs?: Properties): Partial<grpc.StatusObject> {
  if (error instanceof PartialFailure) return partialFailure(error, inputs);
  const details = reason(error);
  if (error instanceof Unsupported) return { code: grpc.status.UNIMPLEMENTED, details };
  if (error instanceof Error && error.name === 'AbortError') {
    return { code: grpc.status.CANCELLED, details: details || 'the operation was cancelled' };
  }
  return { code: grpc.status.UNKNOWN, details };
}

function partialFailure(error: PartialFailure, inputs: Properties | undefined): Partial<grpc.StatusObject> {
  const detail = new ErrorResourceInitFailed()
    .setId(error.id)
    .setProperties(encode(error.state))
    .setReasonsList(error.reasons);
  const recorded = error.inputs ?? inputs;
  if (recorded !== undefined) detail.setInputs(encode(recorded));

  const packed = new Any();
  packed.pack(detail.serializeBinary(), 'pulumirpc.ErrorResourceInitFailed');
  const status = new Status().setCode(grpc.status.UNKNOWN).setMessage(error.message).setDetailsList([packed]);

  const metadata = new grpc.Metadata();
  // gRPC's key for structured details: https://grpc.io/docs/guides/error/#richer-error-model
  metadata.add('grpc-status-details-bin', Buffer.from(status.serializeBinary()));
  return { code: grpc.status.UNKNOWN, details: error.message, metadata };
}
