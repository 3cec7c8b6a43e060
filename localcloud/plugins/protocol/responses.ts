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
  return new CheckResponse()
    .setInputs(encode(result.inputs))
    .setFailuresList(failureMessages(result.failures));
}

export function failureMessages(failures: provider.CheckFailure[]): CheckFailure[] {
  return failures.map(({ property, reason }) => new CheckFailure().setProperty(property).setReason(reason));
}

export function diffResponse(diff: provider.Diff): DiffResponse {
  const { DIFF_SOME, DIFF_NONE } = DiffResponse.DiffChanges;
  const response = new DiffResponse()
    .setChanges(diff.changes ? DIFF_SOME : DIFF_NONE)
    .setReplacesList(diff.replaces)
    .setDiffsList(diff.diffs)
    .setStablesList(diff.stables ?? [])
    .setDeletebeforereplace(diff.deleteBeforeReplace ?? false)
    .setHasdetaileddiff(diff.detailed !== undefined);
  for (const [path, change] of Object.entries(diff.detailed ?? {})) {
    response.getDetaileddiffMap().set(path, new PropertyDiff().setKind(kinds[change]).setInputdiff(true));
  }
  return response;
}
