import type {
  KubernetesObject,
  V1Deployment,
  V1MutatingWebhook,
  V1MutatingWebhookConfiguration,
} from '@kubernetes/client-node';
import { useLabel } from '../../components/identity/signIn';
import { defaultAudience } from '../../components/identity/subjects';
import { fieldsOf } from '../../components/resource/fields';
import { clusters as connections } from '../../components/waiting/cluster';
import type { WorkloadAccess } from '../../verification/access';
import { claimsOf } from '../claims';
import { amount } from '../fleet/words';
import type { DeployedOutputs } from '../stackOutputs';
import { requireUnattended } from '../unattended';
import { UserError } from '../userError';
import type { ReadDocument } from './document';
import { checked, type Finding } from './finding';

/** Clusters as their checks see them; tests replace it. */
export interface ClusterAccess extends Pick<WorkloadAccess, 'serviceAccountToken'> {
  readonly readDocument: ReadDocument;
  /** The webhook of workload identity, and its Deployment; undefined if the cluster does not have it. */
  readonly webhook: (kubeconfig: string) => Promise<Webhook | undefined>;
  readonly env: NodeJS.ProcessEnv;
}

interface Webhook {
  readonly webhook: V1MutatingWebhook;
  readonly deployment?: V1Deployment;
}

/** Checks the API server, the issuer and the webhook of each cluster of a stack. */
export async function clusterFindings(outputs: DeployedOutputs, access: ClusterAccess): Promise<Finding[]> {
  const findings = Object.entries(outputs.clusters).map(async ([name, { issuer }]) => {
    const kubeconfig = outputs.kubeconfigs[name] ?? '';
    // Otherwise, the Kubernetes client would wait for a person.
    const reachable = await checked(`${name}: sign-in`, () => {
      requireUnattended({ [name]: kubeconfig }, access.env);
      return Promise.resolve('signs in unattended');
    });
    let reading: Promise<string[]> | undefined;
    const keys = () => (reading ??= keyIds(issuer, access));
    const published = checked(`${name}: issuer`, () => issuerDocuments(issuer, keys));
    if (reachable.state !== 'ok') return [reachable, await published];
    const usesWebhook = outputs.workloads.some(
      ({ cluster, audience, signIn, credentialSecret }) =>
        cluster === name &&
        audience === defaultAudience &&
        signIn !== 'podIdentity' &&
        credentialSecret === undefined,
    );
    const others = await Promise.all([
      published,
      checked(`${name}: tokens`, () => tokens(name, issuer, access, keys)),
      ...(usesWebhook ? [checked(`${name}: webhook`, () => webhook(kubeconfig, access))] : []),
    ]);
    return [reachable, ...others];
  });
  return (await Promise.all(findings)).flat();
}

const externalIssuer =
  'On a cluster that is not AKS, publish the documents by https (docs/clusters.md); on AKS, wait some minutes after its creation.';

/** Reads the documents as Entra does. Returns the ids of the keys. */
async function keyIds(issuer: string, { readDocument }: ClusterAccess): Promise<string[]> {
  const { fields } = await readDocument(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`);
  if (fields.issuer !== issuer)
    throw new UserError(
      `its discovery document names the issuer ${String(fields.issuer)}, and the federated credentials trust ${issuer}`,
      'They must match to the trailing slash: `pulumi up --refresh` writes the own issuer of the cluster.',
    );
  const { keys } = (await readDocument(String(fields.jwks_uri))).fields;
  const ids = (Array.isArray(keys) ? keys : []).flatMap((key) => {
    const { kid, kty } = fieldsOf(key);
    return kty === 'RSA' ? String(kid) : [];
  });
  if (ids.length > 0) return ids;
  throw new UserError(
    `${String(fields.jwks_uri)} has no RSA key, and Entra accepts only RS256`,
    externalIssuer,
  );
}

async function issuerDocuments(issuer: string, keys: () => Promise<string[]>): Promise<string> {
  if (!issuer.startsWith('https://')) throw new UserError(`${issuer} is not https.`, externalIssuer);
  const ids = await keys();
  return `${issuer} is reachable from here, with ${amount(ids.length, 'key')}`;
}

/** Compares a token of the cluster with what its issuer publishes. */
async function tokens(
  cluster: string,
  issuer: string,
  access: ClusterAccess,
  keys: () => Promise<string[]>,
): Promise<string> {
  const account = { cluster, namespace: 'default', serviceAccount: 'default' };
  const token = await access.serviceAccountToken(account, defaultAudience);
  const { iss } = claimsOf(token);
  if (iss !== issuer)
    throw new UserError(
      `its tokens have the issuer ${String(iss)}, and the federated credentials trust ${issuer} (AADSTS700211)`,
      '`pulumi up --refresh` writes the own issuer of the cluster.',
    );
  const { kid } = claimsOf(token, 0);
  const ids = await keys();
  if (!ids.includes(String(kid)))
    throw new UserError(
      `its tokens are signed with the key ${String(kid)}, which its issuer does not publish (AADSTS7000272)`,
      'Publish the keys that the API server signs with.',
    );
  return 'have the issuer and a key that it publishes';
}

const ofWebhook =
  'On AKS, enable workload identity of the cluster; elsewhere, `pulumi up --refresh` installs it again (docs/clusters.md).';

async function webhook(kubeconfig: string, access: ClusterAccess) {
  const found = await access.webhook(kubeconfig);
  if (found === undefined)
    throw new UserError('there is no webhook of workload identity: pods get no token', ofWebhook);
  const { webhook: own, deployment } = found;
  if ((own.clientConfig.caBundle ?? '') === '')
    throw new UserError(
      'its configuration has no certificate authority, so the API server cannot call it',
      'Restart its pods, which write it.',
    );
  const image = deployment?.spec?.template.spec?.containers[0]?.image ?? '';
  const version = /:v?(\d[\w.-]*)/.exec(image)?.[1];
  const ready = deployment?.status?.readyReplicas ?? 0;
  if (ready === 0)
    throw new UserError(
      `${deployment === undefined ? 'its Deployment is missing' : 'none of its pods is ready'}: from webhook 1.0 on, the API server then refuses pods with the label`,
      ofWebhook,
    );
  if (own.objectSelector?.matchLabels?.[useLabel] !== 'true' || version?.startsWith('0.'))
    return {
      detail: `version ${version ?? 'unknown'} does not select pods by the label ${useLabel}, as 1.0 and newer do`,
      hint: 'Update it to 1.0 or newer.',
    };
  return `version ${version ?? 'unknown'}, ${ready} ready`;
}

/** Reads the webhook of a cluster. */
export async function readWebhook(kubeconfig: string): Promise<Webhook | undefined> {
  const cluster = await connections.connect(kubeconfig);
  const configurations = await cluster.list<V1MutatingWebhookConfiguration>({
    ...{ apiVersion: 'admissionregistration.k8s.io/v1', kind: 'MutatingWebhookConfiguration' },
  });
  const own = configurations.find(isOfWebhook)?.webhooks?.[0];
  const namespace = own?.clientConfig.service?.namespace;
  if (own === undefined || namespace === undefined) return undefined;
  const deployments = await cluster.list<V1Deployment>({
    ...{ apiVersion: 'apps/v1', kind: 'Deployment', namespace },
  });
  const deployment = deployments.find(isOfWebhook);
  return { webhook: own, ...(deployment && { deployment }) };
}

const isOfWebhook = ({ metadata }: KubernetesObject) => metadata?.name?.startsWith('azure-wi-webhook');
