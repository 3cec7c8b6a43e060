import * as pulumi from '@pulumi/pulumi';
import { checkedArguments } from '../azure/arguments';
import type { ArgumentProblem } from '../resource/errors';
import { forceConflicts } from '../resource/forceConflicts';
import type { ManifestObject } from './operatorManifests';
import { inOrder, isManifestObject, operatorsIn, renderCommand, withReader } from './operatorManifests';

/** Arguments of HyperShiftOperator. */
export interface HyperShiftOperatorArgs {
  /** The objects that `hypershift install render` writes, each as JSON. */
  readonly objects: string[];
  /** Client id of the identity on the nodes that reads the vault: `ARO_HCP_KEY_VAULT_USER_CLIENT_ID` of the operator. */
  readonly readerClientId: pulumi.Input<string>;
}

/**
 * HyperShift's operator, from its manifests. Namespaces come first, then custom resource definitions, and the operator
 * last. Definitions are kept when they are removed from the program: with them, Kubernetes would delete all hosted
 * clusters.
 */
export class HyperShiftOperator extends pulumi.ComponentResource {
  constructor(name: string, args: HyperShiftOperatorArgs, opts?: pulumi.ComponentResourceOptions) {
    super('aks-workload-identity:hypershift:HyperShiftOperator', name, {}, opts);
    args = checkedArguments('HyperShiftOperator', name, args, operatorProblems);
    const objects = objectsOf(args);
    const operators = new Set(operatorsIn(objects));
    let before: pulumi.Resource[] = [];
    for (const step of inOrder(objects)) {
      const dependsOn = before;
      const created = step.map((object) => {
        const retainOnDelete = object.kind === 'CustomResourceDefinition';
        const body = operators.has(object) ? withReader(object, args.readerClientId) : object;
        return new ClusterObject(typeOf(object), inStack(name, object), fieldsOf(object, body), {
          ...{ parent: this, dependsOn, retainOnDelete },
          ...(!retainOnDelete && { deletedWith: opts?.deletedWith }),
        });
      });
      before = [...before, ...created];
    }
    this.registerOutputs({});
  }
}

/** A Kubernetes object of any kind. */
class ClusterObject extends pulumi.CustomResource {}

const objectsOf = ({ objects }: HyperShiftOperatorArgs) =>
  objects.map((text) => JSON.parse(text) as ManifestObject);

function operatorProblems(args: HyperShiftOperatorArgs): ArgumentProblem[] {
  const wrong = args.objects.findIndex((text) => !isManifest(text));
  if (wrong >= 0)
    return [
      {
        argument: `objects[${wrong}]`,
        problem: 'is not a Kubernetes object',
        allowed: 'JSON with `apiVersion`, `kind` and `metadata.name`',
      },
    ];
  const count = operatorsIn(objectsOf(args)).length;
  if (count === 1) return [];
  return [
    {
      argument: 'objects',
      problem: `have ${count === 0 ? 'no' : String(count)} Deployments of HyperShift's operator`,
      allowed: `one, as \`${renderCommand}\` writes it`,
    },
  ];
}

function isManifest(text: string): boolean {
  try {
    return isManifestObject(JSON.parse(text));
  } catch {
    return false;
  }
}

/** Returns Pulumi's token of the object's type. Pulumi calls Kubernetes' core group `core`. */
function typeOf({ apiVersion, kind }: ManifestObject): string {
  return `kubernetes:${apiVersion.includes('/') ? apiVersion : `core/${apiVersion}`}:${kind}`;
}

/** Returns the name in the stack. Objects without a namespace, such as definitions, have none in the name. */
function inStack(name: string, { kind, metadata }: ManifestObject): string {
  return [name, kind, ...(metadata.namespace === undefined ? [] : [metadata.namespace]), metadata.name].join(
    '/',
  );
}

/** Returns the object without the fields that only its cluster sets. */
function fieldsOf(
  { metadata }: ManifestObject,
  { status: _status, ...body }: Readonly<Record<string, unknown>>,
): pulumi.Inputs {
  const { creationTimestamp: _created, ...own } = metadata;
  const annotations = { ...(metadata.annotations as object | undefined), ...forceConflicts };
  return { ...body, metadata: { ...own, annotations } };
}
