import type { ManifestObject } from '../../components/hypershift/operatorManifests';
import {
  managedService,
  operatorsIn,
  operatorVariable,
  readerVariable,
  renderCommand,
} from '../../components/hypershift/operatorManifests';
import { fieldsOf } from '../../components/resource/fields';
import type { Path, Problem } from '../settings/problem';
import { formatPath } from '../settings/problem';
import type { Check } from './context';
import { repeated } from './context';

/** Checks of the manifests of HyperShift's operator and of the identity with which it reads the vault. */
export const hyperShiftChecks: readonly Check[] = [
  function* ({ clusters, manifests }) {
    for (const { path: at, name } of clusters) {
      const found = manifests.get(name);
      if (found === undefined) continue;
      const path = [...at, 'hyperShift', 'install', 'manifests'];
      for (const problem of found.problems)
        yield problem.file === undefined ? { ...problem, path: [...path, ...problem.path] } : problem;
      if (found.problems.length > 0) continue;
      yield* objectProblems(path, found.objects);
      yield* operatorProblems(path, found.objects);
    }
  },

  /** HyperShift 0.1.75, run for ARO, reads `managedIdentities` of every HostedCluster (hostedcluster_controller.go). */
  function* ({ clusters, hostedClusters }) {
    for (const { path, managementCluster, authentication } of hostedClusters) {
      const cluster = clusters.find(({ name }) => name === managementCluster);
      if (authentication === 'WorkloadIdentities' && cluster?.hyperShift !== undefined)
        yield {
          path: [...path, 'authentication'],
          what: `is not possible with the operator on ${managementCluster}: the stack installs it for ARO, and it crashes on such a HostedCluster`,
          allowed: 'ManagedIdentities',
          hint: 'Move the hosted cluster to another management cluster.',
        };
    }
  },

  /** The operator reads the vault with a single identity. */
  function* ({ clusters, hostedClusters }) {
    for (const { path: at, name, hyperShift, mode } of clusters) {
      if (hyperShift === undefined) continue;
      const reading = hostedClusters.flatMap(({ path, ...hostedCluster }) =>
        hostedCluster.managementCluster === name && hostedCluster.authentication === 'ManagedIdentities'
          ? [{ path: [...path, 'reader'], id: hostedCluster.reader?.existing.id }]
          : [],
      );
      const [first] = reading;
      for (const { path, id } of reading.slice(1))
        if (first !== undefined && id?.toLowerCase() !== first.id?.toLowerCase())
          yield {
            path,
            value: id === undefined ? 'that of the add-on' : JSON.stringify(id),
            what: `is not that of ${formatPath(first.path)}: HyperShift on ${name} reads the vault as a single identity`,
            allowed: 'the same `reader` in all hosted clusters of a management cluster',
            hint: 'Set the same one, or move the hosted cluster to another management cluster.',
          };
      if (mode === 'external' && first === undefined)
        yield {
          path: [...at, 'hyperShift'],
          what: `would have no identity that reads the vault: ${name} is not an AKS cluster, and no hosted cluster on it sets a \`reader\``,
          hint: 'Add a hosted cluster with `reader`, or remove this.',
        };
    }
  },
];

function* objectProblems(path: Path, objects: readonly ManifestObject[]): Generator<Problem> {
  for (const { item } of repeated(objects, nameOf))
    yield {
      path,
      value: nameOf(item),
      what: 'is in the manifests twice',
      hint: 'Remove one of them, or the file that repeats it.',
    };
  for (const object of objects)
    if (
      object.kind === 'Secret' &&
      [object.data, object.stringData].some((values) => Object.keys(fieldsOf(values)).length > 0)
    )
      yield {
        path,
        value: nameOf(object),
        what: 'has its values in plain text in a file of the project',
        allowed: 'manifests without the values of secrets',
        hint: 'Create it in the cluster by other means and remove it from the file. For each secret, `hypershift install` has a flag that names an existing one.',
      };
}

function* operatorProblems(path: Path, objects: readonly ManifestObject[]): Generator<Problem> {
  const [operator, ...others] = operatorsIn(objects);
  const render = `Write the file with \`${renderCommand}\`, and review it.`;
  if (operator === undefined || others.length > 0) {
    yield {
      path,
      what: `have ${operator === undefined ? 'no Deployment' : 'more than one Deployment'} of HyperShift's operator`,
      allowed: 'files with one',
      hint: operator === undefined ? render : 'Remove the others.',
    };
    return;
  }
  const service = operatorVariable(operator, managedService.name);
  if (service !== managedService.value)
    yield {
      path,
      value: nameOf(operator),
      what: `${service === undefined ? `has no variable ${managedService.name}` : `has ${managedService.name}=${service}`}, but HyperShift creates SecretProviderClasses only with ${managedService.name}=${managedService.value}`,
      hint: render,
    };
  const reader = operatorVariable(operator, readerVariable);
  if (reader !== undefined)
    yield {
      path,
      value: nameOf(operator),
      what: `already has the variable ${readerVariable}, which the stack sets to the identity that reads the vault`,
      hint: 'Remove it: render the file without `--aro-hcp-key-vault-users-client-id`.',
    };
}

/** Returns kind, namespace and name. */
function nameOf({ kind, metadata: { namespace, name } }: ManifestObject): string {
  return `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`;
}
