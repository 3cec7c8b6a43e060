import type { Access } from '../../stacks/access/reach';
import type { Registered } from '../../stacks/access/registered';
import { accessOf } from '../../stacks/access/reach';
import { stackOf } from '../../stacks/access/registered';
import { isUnknown, parsePreview, type Step } from '../preview';
import { UserError } from '../userError';

/** Tells whether the string is the output of `pulumi preview --json`; notes of the program may precede it. */
export const isPreview = (text: string): boolean => /^ {4}"steps": \[/m.test(text);

/**
 * Returns who could use what after an update, from the output of `pulumi preview --json --show-sames`.
 * @param file name of the file, for messages
 */
export function previewedAccess(text: string, file: string): Access {
  const { steps, changeSummary } = parsePreview(text);
  const same = steps.filter(({ op }) => op === 'same').length;
  if (same < (changeSummary.same ?? 0)) {
    throw new UserError(
      `${file} is a preview without the resources that stay unchanged.`,
      `Write it with \`pulumi preview --json --show-sames > ${file}\`.`,
    );
  }
  // A replacement has several steps: each resource counts once.
  const last = new Map(
    steps.flatMap((step) => (step.newState === undefined ? [] : [[step.urn, step] as const])),
  );
  const [environment = ''] = [...last.keys()].map((urn) => urn.split(':')[2]);
  return accessOf(stackOf([...last.values()].map(registered)), environment);
}

/** Returns a resource as it would be after the update. If it stays, its old state has the values that Azure chose. */
function registered({ op, urn, oldState, newState }: Step): Registered {
  const stays = ['same', 'update'].includes(op);
  const { inputs, provider, propertyDependencies } = newState ?? {};
  const outputs = { ...(stays && oldState?.outputs), ...newState?.outputs };
  return {
    ...{ urn, provider, id: known(newState?.id ?? (stays ? oldState?.id : undefined)) as string | undefined },
    inputs: known(inputs ?? {}) as Registered['inputs'],
    outputs: known(outputs) as Registered['outputs'],
    sources: Object.fromEntries(
      Object.entries(propertyDependencies ?? {}).map(([input, urns]) => [input, urns ?? []]),
    ),
  };
}

/** Returns the value without what the engine does not know yet. */
function known(value: unknown): unknown {
  if (isUnknown(value)) return undefined;
  if (Array.isArray(value)) return value.map(known);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, known(item)]));
}
