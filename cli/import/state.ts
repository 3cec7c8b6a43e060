import { z } from 'zod';
import type { Difference } from './inputs';
import { recordedInputs } from './inputs';
import type { Inputs } from './preview';

const exported = z.looseObject({
  deployment: z.looseObject({
    resources: z
      .array(
        z.looseObject({
          urn: z.string(),
          custom: z.boolean().default(false),
          inputs: z.record(z.string(), z.unknown()).optional(),
        }),
      )
      .default([]),
  }),
});

/** A stack's exported state with the inputs of what was taken in, and where these differ from what is wanted. */
export function withRecordedInputs(
  text: string,
  wanted: ReadonlyMap<string, Inputs>,
): { text: string; differences: ReadonlyMap<string, Difference[]> } {
  const state = exported.parse(JSON.parse(text));
  const found = new Map<string, Difference[]>();
  const resources = state.deployment.resources.map((resource) => {
    const own = wanted.get(resource.urn);
    if (own === undefined || resource.inputs === undefined) return resource;
    const { inputs, differences } = recordedInputs(resource.inputs, own);
    found.set(resource.urn, differences);
    return { ...resource, inputs };
  });
  return {
    text: JSON.stringify({ ...state, deployment: { ...state.deployment, resources } }),
    differences: found,
  };
}

/** The URNs that a stack has. */
export function urnsIn(text: string): ReadonlySet<string> {
  return new Set(exported.parse(JSON.parse(text)).deployment.resources.map(({ urn }) => urn));
}
