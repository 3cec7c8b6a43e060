import * as pulumi from '@pulumi/pulumi';
import { linesOf } from './compact';
import type { Paragraph } from './paragraphs';
import { paragraphsOf } from './paragraphs';
import { References, shortName } from './references';
import type { Example } from './record';

/** The parts of a deployment that a golden shows. */
export interface Sections {
  readonly resources: readonly Paragraph[];
  /** Reads of Azure and of clusters. */
  readonly reads: readonly string[];
  readonly outputs: object;
  readonly warnings: readonly string[];
  /** Findings of the policies. */
  readonly findings: readonly string[];
}

export async function sectionsOf({ recording, warnings, findings }: Example): Promise<Sections> {
  const references = new References(recording);
  const calls = recording.calls.map(({ token, inputs, provider }) => {
    const { value } = references.show(inputs);
    const what = Object.values(value as object).map(String);
    return [token, ...what, ...(provider === undefined ? [] : ['by', provider.split('::')[1]])].join(' ');
  });
  const outputs = await Promise.all(
    Object.entries(recording.result).map(async ([key, output]) => {
      const [value, secret] = await settled(output);
      const shown = references.show(value).value;
      return [key, secret ? { SECRET: shown } : shown] as const;
    }),
  );
  return {
    resources: paragraphsOf(recording, references),
    reads: [...new Set([...recording.reads.map(shortName), ...calls])].sort(),
    outputs: Object.fromEntries(outputs),
    warnings,
    findings,
  };
}

function settled(output: pulumi.Output<unknown>): Promise<[unknown, boolean]> {
  return new Promise((resolve) => {
    output.apply(
      (value) =>
        void pulumi.isSecret(output).then((is) => {
          resolve([value, is]);
        }),
    );
  });
}

/** The lines of a resource, or of what several have in common; none of what says nothing but that it holds others. */
export function linesOfParagraph({
  heading,
  options,
  after,
  inputs,
  isHolder,
}: Omit<Paragraph, 'type'>): string[] {
  const lines = [...listed('', options), ...listed('after ', after), ...linesOf(inputs, 2)];
  return lines.length === 0 && isHolder ? [] : [heading, ...lines];
}

const listed = (start: string, all: readonly string[]) =>
  all.length === 0 ? [] : [`  ${start}${all.join(', ')}`];

/** The other sections, each under its name. */
export function linesOfOthers({ reads, outputs, warnings, findings }: Sections): string[] {
  const lists = { reads, warnings, 'findings of the policies': findings };
  return [
    ...Object.entries(lists).flatMap(([name, all]) =>
      all.length === 0 ? [] : [name, ...all.map((line) => `  ${line}`)],
    ),
    'outputs',
    ...linesOf(outputs, 2),
  ];
}
