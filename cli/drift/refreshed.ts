import * as z from 'zod';
import { valueAt } from '../../stacks/settings/problem';
import { jsonIn } from '../preview';

const state = z.object({
  id: z.string().default(''),
  modified: z.coerce.date().optional(),
  inputs: z.record(z.string(), z.unknown()).default({}),
  outputs: z.record(z.string(), z.unknown()).default({}),
});

const refreshOutput = z.object({
  steps: z
    .array(
      z.object({
        op: z.string().default('same'),
        urn: z.string(),
        provider: z.string().default(''),
        oldState: state.nullish(),
        newState: state.nullish(),
        detailedDiff: z.record(z.string(), z.object({ inputDiff: z.boolean().default(false) })).nullish(),
      }),
    )
    .default([]),
  diagnostics: z.array(z.object({ urn: z.string().default(''), message: z.string() })).nullish(),
});

/** The state of a resource before or after a refresh. */
export type RefreshedState = z.output<typeof state>;

/** Result of a refresh of a stack. */
export type Refreshed = z.output<typeof refreshOutput>;

/** Parses the output of `pulumi refresh --preview-only --json`. */
export const readRefresh = (stdout: string): Refreshed => refreshOutput.parse(jsonIn(stdout));

export const clusterResource = 'azure-native:containerservice:ManagedCluster';

/** Returns the power state of a cluster itself. It is only an output; that of a pool is an input as well. */
export const powerOf = (cluster: RefreshedState | null | undefined): unknown =>
  valueAt(cluster?.outputs, ['powerState', 'code']);
