import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import * as z from 'zod';
import { durationOf } from '../../components/resource/duration';
import { parsedJson } from '../json';
import { UserError } from '../userError';

/** The subject of an approval: the preview of a stack at a commit. */
const approvalSchema = z.object({ stack: z.string(), commit: z.string(), previewedAt: z.iso.datetime() });

export type Approval = z.infer<typeof approvalSchema>;

export function writeApproval(file: string, approval: Approval): void {
  writeFileSync(file, `${JSON.stringify(approvalSchema.parse(approval))}\n`);
}

/**
 * Refuses a deployment that was not approved, or was approved too long ago: others may have changed the stack since the
 * preview.
 * @param validFor time after its preview for which an approval is valid, such as `72h`
 */
export function checkApproval(
  file: string,
  { stack, commit }: Pick<Approval, 'stack' | 'commit'>,
  validFor: string,
  now: Date,
): void {
  const again = 'Run the pipeline again from its preview, and get that preview approved.';
  const limit = durationOf(validFor);
  if (limit === undefined)
    throw new UserError(`--valid-for is ${validFor}.`, 'Allowed: minutes or hours, such as 30m or 72h.');
  if (!existsSync(file))
    throw new UserError(`There is no approved preview of ${stack}: ${file} is missing.`, again);
  const read = approvalSchema.safeParse(parsedJson(readFileSync(file, 'utf8')));
  if (!read.success) throw new UserError(`${file} is not a record of a preview.`, again);
  const approval = read.data;
  if (approval.stack !== stack)
    throw new UserError(`The approved preview is of ${approval.stack}, not of ${stack}.`, again);
  if (approval.commit !== commit)
    throw new UserError(
      `The approved preview is of commit ${approval.commit}, but this is ${commit}.`,
      again,
    );
  if (now.getTime() - Date.parse(approval.previewedAt) > limit)
    throw new UserError(
      `The approval of ${stack} has expired: its preview is from ${approval.previewedAt} and is valid for ${validFor}.`,
      again,
    );
}
