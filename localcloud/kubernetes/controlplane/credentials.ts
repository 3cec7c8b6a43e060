import { generateKeyPair } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { readIfExists } from '../readIfExists';
import { writeWhole } from '../../writeWhole';
import type { KeyPair, LeafOptions } from './certificates';
import { createAuthority, issueCertificate } from './certificates';
import { nodeIp, nodeName } from './node';

/** First address of the service range, which the `kubernetes` service has. */
const kubernetesServiceIp = '10.0.0.1';

/** User of the `user` kubeconfig. It is bound to cluster-admin, as on AKS without Entra integration. */
export const clusterUserName = 'clusterUser';

/** User name of the API server as a client of the node's endpoint; it has no permissions in the cluster. */
export const kubeletClientName = 'kube-apiserver-kubelet-client';

const loopback = { dnsNames: ['localhost'], ipAddresses: ['127.0.0.1'] };

const leaves = {
  apiserver: {
    commonName: 'kube-apiserver',
    usage: 'server',
    dnsNames: [
      'localhost',
      'kubernetes',
      'kubernetes.default',
      'kubernetes.default.svc',
      'kubernetes.default.svc.cluster.local',
    ],
    ipAddresses: ['127.0.0.1', kubernetesServiceIp],
  },
  kubelet: {
    commonName: `system:node:${nodeName}`,
    usage: 'server',
    dnsNames: [nodeName],
    ipAddresses: [nodeIp],
  },
  'apiserver-kubelet-client': { commonName: kubeletClientName, usage: 'client' },
  admin: { commonName: 'clusterAdmin', organization: 'system:masters', usage: 'client' },
  user: { commonName: clusterUserName, usage: 'client' },
  'controller-manager': { commonName: 'system:kube-controller-manager', usage: 'client' },
  scheduler: { commonName: 'system:kube-scheduler', usage: 'client' },
  kwok: { commonName: 'local-cloud:kwok', organization: 'system:masters', usage: 'client' },
  // The service account to which the driver's chart binds its roles.
  'secrets-store': {
    commonName: 'system:serviceaccount:kube-system:secrets-store-csi-driver',
    usage: 'client',
  },
  agent: { commonName: 'local-cloud:agent', organization: 'system:masters', usage: 'client' },
} satisfies Record<string, LeafOptions>;

/** etcd has its own authority, because users of the cluster have certificates of the cluster's authority. */
const etcdLeaves = {
  'etcd-server': { commonName: 'etcd', usage: 'both', ...loopback },
  'etcd-client': { commonName: 'kube-apiserver', usage: 'client' },
} satisfies Record<string, LeafOptions>;

export type ClientName = Exclude<keyof typeof leaves, 'apiserver' | 'kubelet' | 'apiserver-kubelet-client'>;
type LeafName = keyof typeof leaves | keyof typeof etcdLeaves | 'ca' | 'etcd-ca';

export interface Credentials {
  /** Returns the path of `<name>.crt` or `<name>.key` (0600) in the folder. */
  file(name: LeafName, kind: 'crt' | 'key'): string;
  pair(name: LeafName): KeyPair;
  serviceAccountKey: string;
  serviceAccountPublicKey: string;
}

/** Returns the cluster's certificates and keys; creates missing ones. */
export async function ensureCredentials(folder: string): Promise<Credentials> {
  const pairs = new Map<string, KeyPair>();
  const ensure = async (name: string, make: () => Promise<KeyPair>) => {
    const [crt, keyFile] = [path.join(folder, `${name}.crt`), path.join(folder, `${name}.key`)];
    const [cert, key] = await Promise.all([readIfExists(crt), readIfExists(keyFile)]);
    // The certificate is written last, so that its existence implies the key.
    if (cert !== undefined && key !== undefined) return { cert, key };
    const created = await make();
    writeWhole(keyFile, created.key);
    writeWhole(crt, created.cert, 0o644);
    return created;
  };
  const family = async (authorityName: string, title: string, members: Record<string, LeafOptions>) => {
    const authority = await ensure(authorityName, () => createAuthority(title));
    pairs.set(authorityName, authority);
    await Promise.all(
      Object.entries(members).map(async ([name, options]) => {
        pairs.set(name, await ensure(name, () => issueCertificate(authority, options)));
      }),
    );
  };
  await Promise.all([
    family('ca', 'Local cluster authority', leaves),
    family('etcd-ca', 'Local etcd authority', etcdLeaves),
    ensureServiceAccountKeys(folder),
  ]);
  return {
    file: (name, kind) => path.join(folder, `${name}.${kind}`),
    pair: (name) => {
      const pair = pairs.get(name);
      if (!pair) throw new Error(`no certificate named ${name}`);
      return pair;
    },
    serviceAccountKey: path.join(folder, 'sa.key'),
    serviceAccountPublicKey: path.join(folder, 'sa.pub'),
  };
}

/** Deletes all certificates, but not the keys of service account tokens: services that trust the issuer have fetched them. */
export async function forgetCredentials(folder: string): Promise<void> {
  const files = await readdir(folder).catch(() => []);
  const own = files.filter((file) => !/^sa\./.test(file));
  await Promise.all(own.map((file) => rm(path.join(folder, file))));
}

/** Creates the keys of service account tokens if they are missing. RSA, because Entra accepts only RS256 from an issuer. */
async function ensureServiceAccountKeys(folder: string): Promise<void> {
  const [privateFile, publicFile] = [path.join(folder, 'sa.key'), path.join(folder, 'sa.pub')];
  if ((await readIfExists(publicFile)) !== undefined) return;
  const { privateKey, publicKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 });
  writeWhole(privateFile, privateKey.export({ type: 'pkcs1', format: 'pem' }));
  writeWhole(publicFile, publicKey.export({ type: 'spki', format: 'pem' }));
}
