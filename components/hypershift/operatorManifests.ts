import { isRecord } from '../resource/fields';

/** An object of a manifest. */
export interface ManifestObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: Readonly<Record<string, unknown>> & {
    readonly name: string;
    readonly namespace?: string;
  };
  readonly [field: string]: unknown;
}

/** Tells whether a value is a Kubernetes object. */
export function isManifestObject(value: unknown): value is ManifestObject {
  if (!isRecord(value) || !isRecord(value.metadata)) return false;
  return [value.apiVersion, value.kind, value.metadata.name].every((field) => typeof field === 'string');
}

/** An environment variable of a container. */
interface Variable {
  readonly name: string;
  readonly value?: string;
}

interface Container {
  readonly name: string;
  readonly env?: readonly Variable[];
}

/**
 * Variable that tells HyperShift's operator which identity reads the vault (openshift/hypershift
 * support/config/constants.go).
 */
export const readerVariable = 'ARO_HCP_KEY_VAULT_USER_CLIENT_ID';

/** Variable and value that make HyperShift create SecretProviderClasses (support/azureutil/azureutil.go, IsAroHCP). */
export const managedService = { name: 'MANAGED_SERVICE', value: 'ARO-HCP' };

/** Command that writes installable manifests. */
export const renderCommand = `hypershift install render --managed-service ${managedService.value} --enable-conversion-webhook=false`;

const operatorName = 'operator';
const componentLabel = 'hypershift.openshift.io/operator-component';

/**
 * Returns the Deployments of HyperShift's operator. They are identified by the label of their pods, because the
 * administrator chooses the namespace (cmd/install/assets/hypershift_operator.go).
 */
export function operatorsIn(objects: readonly ManifestObject[]): ManifestObject[] {
  return objects.filter(
    (object) =>
      object.kind === 'Deployment' &&
      labelsOf(object)[componentLabel] === operatorName &&
      containersOf(object).some(isOperator),
  );
}

/** Returns the value of a variable of the operator; undefined if it is missing or comes from elsewhere. */
export function operatorVariable(operator: ManifestObject, name: string): string | undefined {
  return containersOf(operator)
    .filter(isOperator)
    .flatMap(({ env = [] }) => env)
    .find((variable) => variable.name === name)?.value;
}

/** Returns the operator with the client id of the identity that reads the vault. */
export function withReader(operator: ManifestObject, clientId: unknown): Record<string, unknown> {
  const [spec, template, pod] = nested(operator);
  const containers = containersOf(operator).map((container) =>
    isOperator(container)
      ? {
          ...container,
          env: [
            ...(container.env ?? []).filter(({ name }) => name !== readerVariable),
            { name: readerVariable, value: clientId },
          ],
        }
      : container,
  );
  return { ...operator, spec: { ...spec, template: { ...template, spec: { ...pod, containers } } } };
}

/** Returns the objects in the order of their creation: namespaces, definitions, everything else, and Deployments. */
export function inOrder(objects: readonly ManifestObject[]): ManifestObject[][] {
  const steps: ManifestObject[][] = [[], [], [], []];
  for (const object of objects) steps[stepOf(object)]?.push(object);
  return steps.filter((step) => step.length > 0);
}

function stepOf({ kind }: ManifestObject): number {
  if (kind === 'Namespace') return 0;
  if (kind === 'CustomResourceDefinition') return 1;
  return kind === 'Deployment' ? 3 : 2;
}

const isOperator = ({ name }: Container) => name === operatorName;

/** Returns the specification of a Deployment, its template, and the specification of the template. */
function nested({ spec }: ManifestObject): [object, object, Readonly<Record<string, unknown>>] {
  const fields = isRecord(spec) ? spec : {};
  const template = isRecord(fields.template) ? fields.template : {};
  return [fields, template, isRecord(template.spec) ? template.spec : {}];
}

function labelsOf(object: ManifestObject): Readonly<Record<string, unknown>> {
  const [, template] = nested(object);
  const { metadata } = template as { metadata?: { labels?: Readonly<Record<string, unknown>> } };
  return metadata?.labels ?? {};
}

function containersOf(object: ManifestObject): readonly Container[] {
  const [, , { containers }] = nested(object);
  return Array.isArray(containers) ? (containers as Container[]) : [];
}
