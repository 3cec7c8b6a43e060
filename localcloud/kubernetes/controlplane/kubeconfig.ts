import { stringify } from 'yaml';
import type { KeyPair } from './certificates';
import type { ClientName, Credentials } from './credentials';

const base64 = (text: string) => Buffer.from(text).toString('base64');

interface KubeconfigOptions {
  /** Name of the cluster and the context. */
  name: string;
  server: string;
  /** PEM text. */
  ca: string;
  userName: string;
  /** `token` is for clients that know no token file: it is not replaced before it expires. */
  user: KeyPair | { tokenFile: string; token: string };
  /** @default none, which clients treat as `default` */
  namespace?: string;
}

/** Returns a kubeconfig (YAML), which refers to no other file, except perhaps to a token file. */
export function kubeconfigYaml({ name, server, ca, userName, user, namespace }: KubeconfigOptions): string {
  return stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name, cluster: { server, 'certificate-authority-data': base64(ca) } }],
    users: [
      {
        name: userName,
        user:
          'tokenFile' in user
            ? { tokenFile: user.tokenFile, token: user.token }
            : { 'client-certificate-data': base64(user.cert), 'client-key-data': base64(user.key) },
      },
    ],
    contexts: [{ name, context: { cluster: name, user: userName, ...(namespace ? { namespace } : {}) } }],
    'current-context': name,
    preferences: {},
  });
}

/** Returns the kubeconfig of one of a cluster's own clients. */
export function clientKubeconfig(
  cluster: { name: string; server: string; credentials: Credentials },
  client: ClientName,
): string {
  const { name, server, credentials } = cluster;
  const [ca, user] = [credentials.pair('ca').cert, credentials.pair(client)];
  return kubeconfigYaml({ name, server, ca, userName: `${client}_${name}`, user });
}
