import { bindingEvents } from '../../../cli/audit/podIdentityEvents';
import { readCluster } from '../../../cli/migrate/objects';
import { driftCommand } from '../../../cli/drift/command';
import { runPulumi } from '../../../cli/pulumi';
import { readStackOutputs } from '../../../cli/stackOutputs';
import { requireUnattended } from '../../../cli/unattended';
import { verifyDeployed } from '../../../cli/verify/run';
import { kubeconfigOfEntra } from '../components/support/kubeconfigOfEntra';
import { twoClusters, workload } from '../verification/outputs.fixture';

jest.mock('../../../cli/stackOutputs');
jest.mock('../../../cli/azureTarget', () => ({ stackCloud: () => Promise.resolve({}) }));
jest.mock('../../../cli/pulumi', () => ({
  ...jest.requireActual<object>('../../../cli/pulumi'),
  runPulumi: jest.fn(),
}));

// The commands that connect to clusters start no sign-in that would wait for a person. With which methods it would,
// components/interactiveSignIn.test.ts proves.

const kubeconfigs = {
  'aks-1': kubeconfigOfEntra({ env: [{ name: 'AAD_LOGIN_METHOD', value: 'interactive' }] }),
};
const what =
  'signs in to Entra with the method `interactive` of kubelogin, which would wait, unseen, for a person at a browser';
const refusal = {
  message: `The kubeconfig of the cluster aks-1 ${what}.`,
  hint: expect.stringMatching(/^Set AAD_LOGIN_METHOD, /) as string,
};

it('the variables of a command count', () => {
  const named = { 'aks-1': kubeconfigOfEntra() };
  expect(() => requireUnattended(named, {})).toThrow('`devicecode`');
  expect(() => requireUnattended(named, { AAD_LOGIN_METHOD: 'azurecli' })).not.toThrow();
});

it('`verify` refuses such a cluster before any check', async () => {
  const stack = { name: 'test', cwd: '/nowhere' };
  await expect(
    verifyDeployed(stack, { ...twoClusters(), kubeconfigs }, { timeoutSeconds: 1, quiet: true }),
  ).rejects.toMatchObject(refusal);
});

it('`migrate` refuses it', async () => {
  await expect(readCluster('aks-1', kubeconfigs['aks-1'])).rejects.toMatchObject(refusal);
});

it('`audit` does not ask it, and notes why', async () => {
  const workloads = [{ ...workload('aks-1', 'orders', 'id-orders', []), signIn: 'podIdentity' as const }];
  const list = jest.fn(() => Promise.resolve([]));
  const notes: string[] = [];
  await bindingEvents({ workloads, kubeconfigs }, undefined, new Date(0), (text) => notes.push(text), list);

  expect(list).not.toHaveBeenCalled();
  expect(notes[0]).toMatch(
    `The events of aad-pod-identity on aks-1 cannot be read: its kubeconfig ${what}. Set AAD_LOGIN_METHOD, `,
  );
});

it('`drift` refuses such a cluster before it asks any', async () => {
  jest.mocked(readStackOutputs).mockResolvedValue({ ...twoClusters(), kubeconfigs });
  const asked = driftCommand().parseAsync(['--stack', 'dev'], { from: 'user' });
  await expect(asked).rejects.toMatchObject(refusal);
  expect(runPulumi).not.toHaveBeenCalled();
});
