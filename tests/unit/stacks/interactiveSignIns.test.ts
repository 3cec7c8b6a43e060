import { kubeconfigOfEntra } from '../components/support/kubeconfigOfEntra';
import { preflighted } from './preflighted';
import { input } from './settings';

// With which methods a person has to sign in, components/interactiveSignIn.test.ts proves.

it('the kubeconfig of an external cluster is refused if a person would have to sign in', async () => {
  const clusters = ['edge', 'shore'].map((name) => ({
    ...{ name, mode: 'external', issuer: `https://issuer.example/${name}` },
  }));
  const method = (value: string) => ({ env: [{ name: 'AAD_LOGIN_METHOD', value }] });
  const kubeconfigs = {
    edge: kubeconfigOfEntra(method('interactive')),
    shore: kubeconfigOfEntra(method('azurecli')),
  };
  const { problems } = await preflighted(input([], { clusters, kubeconfigs }));

  expect(problems).toEqual([
    expect.stringMatching(
      /^aks-workload-identity:kubeconfigs\.edge: signs in to Entra with the method `interactive` of kubelogin, .* Set AAD_LOGIN_METHOD, /,
    ),
  ]);
});
