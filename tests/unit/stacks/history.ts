import * as pulumi from '@pulumi/pulumi';
import { validate } from '../../../stacks/configuration/configuration';
import { deployEnvironment } from '../../../stacks/environment/environment';
import { OwnState } from '../../../stacks/keeping/ownState';
import { Subscriptions } from '../../../stacks/environment/subscriptions';
import { formatProblem } from '../../../stacks/configuration/problem';
import type { PendingOutputs } from '../../../stacks/outputs/outputs';
import { ids } from '../components/support/azure';
import type { Recording } from '../components/support/recorder';
import { record, valueOf } from '../components/support/recorder';

/** One update of a stack, with the mocks. */
export interface MockUpdate {
  readonly recording: Recording<PendingOutputs>;
  /** What the next update finds. */
  readonly state: OwnState;
  readonly warnings: readonly string[];
}

/** Runs the program on the state that an earlier update left. */
export async function update(input: Record<string, unknown>, before?: OwnState): Promise<MockUpdate> {
  const validation = validate('test', input);
  if (!validation.ok) throw new Error(validation.problems.map(formatProblem).join('\n'));
  const { configuration } = validation;
  const warnings: string[] = [];
  const spy = jest.spyOn(pulumi.log, 'warn').mockImplementation((message) => {
    warnings.push(message);
    return Promise.resolve();
  });
  try {
    const recording = await record(() =>
      deployEnvironment(configuration, new Subscriptions(), before ?? new OwnState()),
    );
    const exported = { subscriptionId: ids.subscription, kept: await valueOf(recording.result.kept) };
    const stack = {
      urn: 'urn:pulumi:test::aks-workload-identity::pulumi:pulumi:Stack::aks-workload-identity-test',
      type: 'pulumi:pulumi:Stack',
      name: 'aks-workload-identity-test',
      outputs: exported,
    };
    return { recording, state: new OwnState([stack, ...recording.state]), warnings };
  } finally {
    spy.mockRestore();
  }
}

/** What is in Azure or holds it together, as `<type> <name>`, sorted. */
export function registered({ recording }: MockUpdate): string[] {
  return recording.registrations.map(({ type, name }) => `${type.replace(/^.*[:/]/, '')} ${name}`).sort();
}

/** URN of each resource, by `<type> <name>`. */
export function urns({ recording }: MockUpdate): Map<string, string> {
  return new Map(
    recording.state.map(({ type, name, urn }) => [`${type.replace(/^.*[:/]/, '')} ${name}`, urn]),
  );
}
