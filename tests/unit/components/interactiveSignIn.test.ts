import { interactiveSignIn } from '../../../components/waiting/interactiveSignIn';
import { kubeconfigOfEntra } from './support/kubeconfigOfEntra';

// How kubelogin chooses its method is not proven here: its sources say so, and it does not run.

const unset = {};
const set = (AAD_LOGIN_METHOD: string) => ({ AAD_LOGIN_METHOD });
const named = (value: string) => ({ env: [{ name: 'AAD_LOGIN_METHOD', value }] });
const login = (...args: string[]) => ({ args: ['get-token', '--server-id', 's', ...args] });

describe('a kubeconfig needs a person to sign in', () => {
  it.each<[string, object, NodeJS.ProcessEnv, string]>([
    ['as AKS writes it', {}, unset, 'devicecode'],
    ['with no method', login(), unset, 'devicecode'],
    ['with a browser', login('--login', 'interactive'), unset, 'interactive'],
    ['with the flag in one', login('--login=interactive'), unset, 'interactive'],
    ['with the short flag', login('-l', 'interactive'), unset, 'interactive'],
    ['with the variable set to a code', login('--login', 'azurecli'), set('devicecode'), 'devicecode'],
    ['with the variable set to a browser', {}, set('interactive'), 'interactive'],
    ['with a variable of its own', named('interactive'), set('azurecli'), 'interactive'],
    ['with the program by its path', { command: '/opt/bin/kubelogin' }, unset, 'devicecode'],
    ['on Windows', { command: String.raw`C:\bin\kubelogin.exe` }, unset, 'devicecode'],
  ])('%s', (_, exec, env, method) => {
    expect(interactiveSignIn(kubeconfigOfEntra(exec), env)?.what).toBe(
      `signs in to Entra with the method \`${method}\` of kubelogin, which would wait, unseen, for a person at a browser`,
    );
  });

  it('and the error names what to set in its place', () => {
    const hint = (exec: object) => interactiveSignIn(kubeconfigOfEntra(exec), {})?.hint;
    expect(hint({})).toBe(
      'Set AAD_LOGIN_METHOD to one of: `azurecli` after `az login`, `workloadidentity` with AZURE_CLIENT_ID, AZURE_TENANT_ID and AZURE_FEDERATED_TOKEN_FILE, or `spn` with AZURE_CLIENT_ID, AZURE_TENANT_ID and AZURE_CLIENT_SECRET.',
    );
    expect(hint(named('devicecode'))).toMatch(
      /^Set AAD_LOGIN_METHOD, which `env` in the kubeconfig sets, to/,
    );
  });
});

it.each<[string, string, NodeJS.ProcessEnv]>([
  ['the variable says otherwise', kubeconfigOfEntra({}), set('azurecli')],
  ['the flag says otherwise', kubeconfigOfEntra(login('-l', 'spn')), unset],
  ['its own variable says otherwise', kubeconfigOfEntra(named('msi')), set('devicecode')],
  ['another user signs in so', kubeconfigOfEntra({}, 'another'), unset],
  ['it runs another program', kubeconfigOfEntra({ command: 'aws-iam-authenticator' }), unset],
  [
    'it runs the other kubelogin',
    kubeconfigOfEntra({ args: ['get-token', '--oidc-issuer-url=https://i'] }),
    unset,
  ],
  ['it has a token', 'users: [{ name: u, user: { token: t } }]', unset],
  ['it is empty', '', unset],
  ['it is not YAML', 'a: [devicecode', unset],
])('a kubeconfig signs in unattended where %s', (_, kubeconfig, env) => {
  expect(interactiveSignIn(kubeconfig, env)).toBeUndefined();
});
