import { CheckFailure, CheckResponse, DiffResponse, PropertyDiff } from '@pulumi/pulumi/proto/provider_pb';
import type * as provider from './provider';
import { encode } from './structs';
import type { Properties } from './values';

const kinds: Record<provider.ChangeKind, PropertyDiff.Kind> = {
  add: PropertyDiff.Kind.ADD,
  'add-replace': PropertyDiff.Kind.ADD_REPLACE,
  delete: PropertyDiff.Kind.DELETE,
  'delete-replace': PropertyDiff.Kind.DELETE_REPLACE,
  update: PropertyDiff.Kind.UPDATE,
  'update-replace': PropertyDiff.Kind.UPDATE_REPLACE,
};

export function checkResponse(result: {
  inputs: Properties;
  failures: provider.CheckFailure[];
}): CheckResponse {
  const response = new CheckResponse();
  response.setInputs(encode(result.inputs));
  response.setFailuresList(failureMessages(result.failures));
  return response;
}

export function failureMessages(failures: provider.CheckFailure[]): CheckFailure[] {
  return failures.map((failure) => {
    const message = new CheckFailure();
    message.setProperty(failure.property);
    message.setReason(failure.reason);
    return message;
  });
}

export function diffResponse(diff: provider.Diff): DiffResponse {
  const response = new DiffResponse();
  response.setChanges(diff.changes ? DiffResponse.DiffChanges.DIFF_SOME : DiffResponse.DiffChanges.DIFF_NONE);
  response.setReplacesList(diff.replaces);
  response.setDiffsList(diff.diffs);
  response.setStablesList(diff.stables ?? []);
  response.setDeletebeforereplace(diff.deleteBeforeReplace ?? false);
  if (diff.detailed !== undefined) {
    response.setHasdetaileddiff(true);
    for (const [path, change] of Object.entries(diff.detailed)) {
      const property = new PropertyDiff();
      property.setKind(kinds[change]);
      property.setInputdiff(true);
      response.getDetaileddiffMap().set(path, property);
    }
  }
  return response;
}
