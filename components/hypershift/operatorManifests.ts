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

/** Whether a value is an object for Kubernetes. */
export function isManifestObject(value: unknown): value is ManifestObject {
  if (!isRecord(value) || !isRecord(value.metadata)) return false;
  return [value.apiVersion, value.kind, value.metadata.name].every((one) => typeof one === 'string');
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

/** The variable by which HyperShift's operator knows who reads the vault (openshift/hypershift support/config/constants.go). */
export const readerVariable = 'ARO_HCP_KEY_VAULT_USER_CLIENT_ID';

/** The variable and the value with which HyperShift makes SecretProviderClasses (support/azureutil/azureutil.go, IsAroHCP). */
export const managedService = { name: 'MANAGED_SERVICE', value: 'ARO-HCP' };

/** The command that writes the manifests that can be installed. */
export const renderCommand = `hypershift install render --managed-service ${managedService.value} --enable-conversion-webhook=false`;

const operatorName = 'operator';
const componentLabel = 'hypershift.openshift.io/operator-component';

/**
 * Deployments of HyperShift's operator: by the label of their pods, since the namespace is the administrator's choice
 * (cmd/install/assets/hypershift_operator.go).
 */
export function operatorsIn(objects: readonly ManifestObject[]): ManifestObject[] {
  return objects.filter(
    (object) =>
      object.kind === 'Deployment' &&
      labelsOf(object)[componentLabel] === operatorName &&
      containersOf(object).some(isOperator),
  );
}

/** The value of a variable of the operator; undefined if it has none, or one that comes from elsewhere. */
export function operatorVariable(operator: ManifestObject, name: string): string | undefined {
  return containersOf(operator)
    .filter(isOperator)
    .flatMap(({ env = [] }) => env)
    .find((one) => one.name === name)?.value;
}

/** The operator with the client id of the identity that reads the vault. */
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

/** What is there before anything of the next list is made: namespaces, definitions, all else, and what runs. */
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

/** The specification of a deployment, its template, and that one's specification. */
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
