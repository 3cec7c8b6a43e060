import path from 'node:path';
import type { Credentials } from './credentials';
import type { ClusterPaths } from './paths';
import type { ClusterPorts } from './ports';

/** AKS' default service range. */
const serviceRange = '10.0.0.0/16';

/**
 * An address that is not loopback, reserved for documentation (RFC 5737). It only becomes the endpoint of the
 * `kubernetes` service, which refuses loopback addresses. Without it, the API server looks for a network interface, which
 * an offline laptop may not have.
 */
const advertisedAddress = '192.0.2.1';

export interface CommandContext {
  paths: ClusterPaths;
  ports: ClusterPorts;
  credentials: Credentials;
  issuer: string;
}

/**
 * Returns etcd's command line. It turns fsync off, which makes a start a third faster. A killed etcd loses nothing,
 * because the kernel has its writes; only a crash of the machine can damage the store.
 */
export function etcdCommand(program: string, { paths, ports, credentials }: CommandContext): string[] {
  const client = `https://127.0.0.1:${ports.etcdClient}`;
  const peer = `https://127.0.0.1:${ports.etcdPeer}`;
  return [
    program,
    '--name=local',
    `--data-dir=${paths.etcd}`,
    `--listen-client-urls=${client}`,
    `--advertise-client-urls=${client}`,
    `--listen-peer-urls=${peer}`,
    `--initial-advertise-peer-urls=${peer}`,
    `--initial-cluster=local=${peer}`,
    // The port may differ from that of the last start, and then the member's own address would fail this check.
    '--strict-reconfig-check=false',
    '--unsafe-no-fsync',
    '--client-cert-auth',
    `--trusted-ca-file=${credentials.file('etcd-ca', 'crt')}`,
    `--cert-file=${credentials.file('etcd-server', 'crt')}`,
    `--key-file=${credentials.file('etcd-server', 'key')}`,
    '--peer-client-cert-auth',
    `--peer-trusted-ca-file=${credentials.file('etcd-ca', 'crt')}`,
    `--peer-cert-file=${credentials.file('etcd-server', 'crt')}`,
    `--peer-key-file=${credentials.file('etcd-server', 'key')}`,
    '--log-level=warn',
  ];
}

export function apiServerCommand(program: string, context: CommandContext): string[] {
  const { paths, ports, credentials, issuer } = context;
  return [
    program,
    '--bind-address=127.0.0.1',
    `--secure-port=${ports.apiServer}`,
    `--advertise-address=${advertisedAddress}`,
    `--tls-cert-file=${credentials.file('apiserver', 'crt')}`,
    `--tls-private-key-file=${credentials.file('apiserver', 'key')}`,
    `--client-ca-file=${credentials.file('ca', 'crt')}`,
    `--etcd-servers=https://127.0.0.1:${ports.etcdClient}`,
    `--etcd-cafile=${credentials.file('etcd-ca', 'crt')}`,
    `--etcd-certfile=${credentials.file('etcd-client', 'crt')}`,
    `--etcd-keyfile=${credentials.file('etcd-client', 'key')}`,
    `--service-cluster-ip-range=${serviceRange}`,
    `--service-account-key-file=${credentials.serviceAccountPublicKey}`,
    `--service-account-signing-key-file=${credentials.serviceAccountKey}`,
    `--service-account-issuer=${issuer}`,
    `--service-account-jwks-uri=${issuer}openid/v1/jwks`,
    '--authorization-mode=RBAC',
    '--anonymous-auth=false',
    '--allow-privileged=true',
    // This plugin adds a taint that only the node-lifecycle controller removes, which does not run (see below).
    '--disable-admission-plugins=TaintNodesByCondition',
    `--kubelet-certificate-authority=${credentials.file('ca', 'crt')}`,
    `--kubelet-client-certificate=${credentials.file('apiserver-kubelet-client', 'crt')}`,
    `--kubelet-client-key=${credentials.file('apiserver-kubelet-client', 'key')}`,
    '--kubelet-preferred-address-types=InternalIP',
    `--egress-selector-config-file=${egressConfigFile(paths)}`,
    '--profiling=false',
  ];
}

export function controllerManagerCommand(program: string, { paths, credentials }: CommandContext): string[] {
  return [
    program,
    `--kubeconfig=${componentKubeconfigFile(paths, 'controller-manager')}`,
    `--service-account-private-key-file=${credentials.serviceAccountKey}`,
    `--root-ca-file=${credentials.file('ca', 'crt')}`,
    // Signs the client certificates of users only. Each further signer takes one of the few inotify instances of the machine's
    // user.
    `--cluster-signing-kube-apiserver-client-cert-file=${credentials.file('ca', 'crt')}`,
    `--cluster-signing-kube-apiserver-client-key-file=${credentials.file('ca', 'key')}`,
    '--use-service-account-credentials=true',
    // At its start, it creates a service account and a token for each controller. With the default of 20 requests per
    // second, this takes 3 s.
    '--kube-api-qps=200',
    '--kube-api-burst=400',
    '--leader-elect=false',
    // It does not listen: `acceptsPods` tests its effects instead.
    '--secure-port=0',
    // A suspended laptop must not lead to the eviction of all pods.
    '--controllers=*,-node-lifecycle-controller,-taint-eviction-controller',
    '--profiling=false',
  ];
}

export function schedulerCommand(program: string, { paths }: CommandContext): string[] {
  return [
    program,
    `--kubeconfig=${componentKubeconfigFile(paths, 'scheduler')}`,
    '--leader-elect=false',
    '--secure-port=0',
    '--profiling=false',
  ];
}

export function kwokCommand(
  program: string,
  { paths }: CommandContext,
  podRange: string,
  nodeIp: string,
): string[] {
  return [
    program,
    `--kubeconfig=${componentKubeconfigFile(paths, 'kwok')}`,
    `--config=${kwokConfigFile(paths)}`,
    '--manage-all-nodes=true',
    `--cidr=${podRange}`,
    `--node-ip=${nodeIp}`,
    '--node-lease-duration-seconds=0',
  ];
}

export const componentKubeconfigFile = (paths: ClusterPaths, component: string) =>
  path.join(paths.run, `${component}.kubeconfig`);
export const kwokConfigFile = (paths: ClusterPaths) => path.join(paths.run, 'kwok.yaml');
export const egressConfigFile = (paths: ClusterPaths) => path.join(paths.run, 'egress.yaml');

/**
 * Returns the configuration that sends the API server's calls to services and pods through the local proxy. The proxy
 * has a socket file, because releases from 1.35 panic on a TCP address here.
 */
export function egressConfig(socket: string): object {
  return {
    apiVersion: 'apiserver.k8s.io/v1beta1',
    kind: 'EgressSelectorConfiguration',
    egressSelections: [
      {
        name: 'cluster',
        connection: { proxyProtocol: 'HTTPConnect', transport: { uds: { udsName: socket } } },
      },
    ],
  };
}
