import { operatorDeployment } from '../../components/support/hyperShiftManifests';
import { hostedCluster, identityId } from '../ids';
import type { Subject } from './table';
import { refused, valid } from './table';

const at = 'clusters[0].hyperShift';
const path = 'hypershift/operator.yaml';
const manifests = `${at}.install.manifests`;
const reader = (name: string) => ({ reader: { existing: identityId(name) } });

/** The file with these documents. */
const file = (...documents: readonly unknown[]) => ({
  [`./${path}`]: documents
    .map((object) => (typeof object === 'string' ? object : JSON.stringify(object)))
    .join('\n---\n'),
});
const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'hypershift' } };
const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'pull', namespace: 'hypershift' } };
const withVariables = (env: Readonly<Record<string, string>>) => operatorDeployment({ env });
const two = { 'hostedClusters[0]': hostedCluster, 'hostedClusters[1]': { ...hostedCluster, name: 'hc2' } };
const external = {
  'clusters[0]': {
    ...{ name: 'aks-1', mode: 'external', issuer: 'https://issuer.example/aks-1' },
    hyperShift: { install: { manifests: [`./${path}`] } },
  },
  'kubeconfigs.aks-1': 'x',
};

export const hyperShift: Subject = {
  change: {
    clusters: [{ name: 'aks-1' }],
    [manifests]: [`./${path}`],
    ...file(namespace, operatorDeployment()),
  },
  rows: {
    'an operator for ARO': valid({}),
    'a list of objects': valid(file({ kind: 'List', items: [namespace, operatorDeployment()] })),
    'an empty document': valid(file('', operatorDeployment(), '# end')),
    'a hosted cluster that signs in with federation': refused(
      { 'hostedClusters[0]': { ...hostedCluster, authentication: 'WorkloadIdentities' } },
      'hostedClusters[0].authentication',
    ),
    'no file': refused({ [manifests]: [] }),
    'a file that does not exist': refused({ [manifests]: ['./hypershift/other.yaml'] }, `${manifests}[0]`),
    'a file outside the project': refused({ [manifests]: ['../operator.yaml'] }, `${manifests}[0]`),
    'no YAML': refused(file(operatorDeployment(), 'a: [1'), path),
    'an alias without an anchor': refused(file(operatorDeployment(), 'a: *b'), path),
    'something that is not an object': refused(file(operatorDeployment(), { kind: 'Namespace' }), path),
    'no operator': refused(file(namespace), manifests),
    'two operators': refused(
      file(operatorDeployment(), operatorDeployment({ namespace: 'other' })),
      manifests,
    ),
    'an operator that creates no classes': refused(file(withVariables({})), manifests),
    'an operator of another service': refused(
      file(withVariables({ MANAGED_SERVICE: 'ROSA-HCP' })),
      manifests,
    ),
    'an operator with a reader': refused(
      file(withVariables({ MANAGED_SERVICE: 'ARO-HCP', ARO_HCP_KEY_VAULT_USER_CLIENT_ID: 'x' })),
      manifests,
    ),
    'a secret with its value': refused(
      file(operatorDeployment(), { ...secret, data: { token: 'aHVudGVyMg==' } }),
      manifests,
    ),
    'a secret without a value': valid(file(operatorDeployment(), secret)),
    'an object twice': refused(file(namespace, operatorDeployment(), namespace), manifests),
    'hosted clusters with one reader': valid({
      ...two,
      'hostedClusters[0].reader': reader('id-reader').reader,
      'hostedClusters[1].reader': reader('ID-READER').reader,
    }),
    'hosted clusters with two readers': refused({
      ...two,
      'hostedClusters[1].reader': reader('id-b').reader,
    }),
    'an external cluster without a reader': refused(external, at),
    'an external cluster with one': valid({
      ...external,
      'hostedClusters[0]': { ...hostedCluster, ...reader('id-reader') },
    }),
  },
};
