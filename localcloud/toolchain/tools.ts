import type { VendorCopy } from './vendorCopies';

/** A program that the local cloud runs or uses. */
export type Tool =
  | 'pulumi'
  | 'pulumi-language-yaml'
  | 'etcd'
  | 'kube-apiserver'
  | 'kube-controller-manager'
  | 'kube-scheduler'
  | 'kwok'
  | 'helm'
  | 'cert-manager'
  | 'workload-identity-webhook'
  | 'secrets-store-csi-driver'
  | 'secrets-store-provider-azure'
  | 'azure-service-operator'
  | 'hosted-cluster-pod'
  | 'hypershift-operator'
  | 'aad-pod-identity'
  | 'jobset';

/** A folder of `modules/`, whose tools are rebuilt when a pin in it changes. */
export type GoModule =
  | 'core'
  | 'cert-manager'
  | 'workload-identity-webhook'
  | 'secrets-store'
  | 'azure-service-operator'
  | 'hypershift'
  | 'pod-identity'
  | 'jobset';

/** How a tool is built. */
export interface Recipe {
  readonly module: GoModule;
  /** The vendor's Go module, whose pinned version is the tool's version. */
  readonly release: string;
  /** How to recognize an installed program; undefined if this project has its own main package for it. */
  readonly installed?: InstalledRecipe;
  /** Marks a program that only tests run: a local cloud starts without it. */
  readonly forTests?: true;
  /** Import path of the main package; `.` is the one in the module's own folder. */
  readonly package: string;
  /** The binary's name from `go build`, if it differs from the tool's. */
  readonly builtAs?: string;
  /**
   * String variables to set while linking. `v(path)` is the pinned version of a module; `major(path)`,
   * `minor(path)` and `bare(path)` (without the leading v) are parts of it.
   */
  readonly variables?: Readonly<Record<string, string>>;
  /** API groups to compile the operator with. @default all */
  readonly groups?: readonly string[];
  /** Custom resource definitions to generate. */
  readonly definitions?: DefinitionsRecipe;
  /** Paths of custom resource definitions to copy from the module of `release`. */
  readonly files?: readonly string[];
  /** Files of the module of `release` that are compiled from copies. */
  readonly copies?: readonly VendorCopy[];
}

/** How to recognize an installed program: by its version, or by its place next to the program that it comes with. */
type InstalledRecipe = VersionedRecipe | { readonly with: Tool };

/** How to recognize an installed program that prints its version. */
export interface VersionedRecipe {
  /** Arguments with which the program prints its version. */
  readonly versionArguments: readonly string[];
  /**
   * Suitable versions besides the pinned one. `minor`: any patch of the same minor version. `newer`: any newer version
   * with the same major version.
   */
  readonly fits: 'minor' | 'newer';
  /** A program that must be in the same folder. */
  readonly beside?: string;
}

/** Custom resource definitions that are generated from the types of a Go module. */
export interface DefinitionsRecipe {
  /** Main package of the generator, pinned by the same module. */
  readonly generator: string;
  /** Packages with the types of one API group each. */
  readonly packages: readonly string[];
  /** `app.kubernetes.io/name`, by which the operator recognizes its definitions. */
  readonly owner: string;
  /** `app.kubernetes.io/version`, of the form `v(path)`. */
  readonly version: string;
  /** The certificate (`namespace/name`) whose authority cert-manager injects. */
  readonly certificate: string;
  /** Service (`namespace/name`) that converts between versions at `/convert`. */
  readonly conversion: string;
}

const kubernetes = 'k8s.io/kubernetes';
const kubernetesVersion = 'k8s.io/component-base/version';

const serviceOperator = 'github.com/Azure/azure-service-operator/v2';

/**
 * API groups whose resources can be created in the local cloud. Add what you need; each group costs a few seconds of
 * compilation.
 */
export const serviceOperatorGroups = [
  'cache',
  'dbforpostgresql',
  'keyvault',
  'managedidentity',
  'resources',
  'servicebus',
  'storage',
] as const;

const secretsStoreDriver = 'sigs.k8s.io/secrets-store-csi-driver';
const secretsStoreProvider = 'github.com/Azure/secrets-store-csi-driver-provider-azure';

const hypershift = 'github.com/openshift/hypershift';
const podIdentity = 'github.com/Azure/aad-pod-identity';
const jobSet = 'sigs.k8s.io/jobset';

// Without these, Kubernetes reports v0.0.0-master+$Format:%H$, which clients and charts cannot parse.
const reportsKubernetesVersion = {
  [`${kubernetesVersion}.gitVersion`]: `v(${kubernetes})`,
  [`${kubernetesVersion}.gitMajor`]: `major(${kubernetes})`,
  [`${kubernetesVersion}.gitMinor`]: `minor(${kubernetes})`,
  [`${kubernetesVersion}.gitCommit`]: '',
  [`${kubernetesVersion}.gitTreeState`]: 'clean',
};

const kubernetesProgram: InstalledRecipe = { versionArguments: ['--version'], fits: 'minor' };

export const recipes: Readonly<Record<Tool, Recipe>> = {
  pulumi: {
    module: 'core',
    release: 'github.com/pulumi/pulumi/pkg/v3',
    installed: { versionArguments: ['version'], fits: 'newer', beside: 'pulumi-language-nodejs' },
    package: 'github.com/pulumi/pulumi/pkg/v3/cmd/pulumi',
    variables: {
      'github.com/pulumi/pulumi/sdk/v3/go/common/version.Version': 'bare(github.com/pulumi/pulumi/pkg/v3)',
    },
  },
  'pulumi-language-yaml': {
    module: 'core',
    release: 'github.com/pulumi/pulumi-yaml',
    installed: { with: 'pulumi' },
    forTests: true,
    package: 'github.com/pulumi/pulumi-yaml/cmd/pulumi-language-yaml',
  },
  etcd: {
    module: 'core',
    release: 'go.etcd.io/etcd/server/v3',
    installed: { versionArguments: ['--version'], fits: 'minor' },
    package: 'go.etcd.io/etcd/server/v3',
    builtAs: 'server',
  },
  'kube-apiserver': {
    module: 'core',
    release: kubernetes,
    installed: kubernetesProgram,
    package: `${kubernetes}/cmd/kube-apiserver`,
    variables: reportsKubernetesVersion,
  },
  'kube-controller-manager': {
    module: 'core',
    release: kubernetes,
    installed: kubernetesProgram,
    package: `${kubernetes}/cmd/kube-controller-manager`,
    variables: reportsKubernetesVersion,
  },
  'kube-scheduler': {
    module: 'core',
    release: kubernetes,
    installed: kubernetesProgram,
    package: `${kubernetes}/cmd/kube-scheduler`,
    variables: reportsKubernetesVersion,
  },
  kwok: {
    module: 'core',
    release: 'sigs.k8s.io/kwok',
    installed: { versionArguments: ['--version'], fits: 'minor' },
    package: 'sigs.k8s.io/kwok/cmd/kwok',
  },
  helm: {
    module: 'core',
    release: 'helm.sh/helm/v3',
    installed: { versionArguments: ['version', '--short'], fits: 'newer' },
    package: 'helm.sh/helm/v3/cmd/helm',
    variables: {
      'helm.sh/helm/v3/internal/version.version': 'v(helm.sh/helm/v3)',
      // The Kubernetes version for templates that are rendered without a cluster; helm's own default is 1.20.
      'helm.sh/helm/v3/pkg/chartutil.k8sVersionMajor': `major(${kubernetes})`,
      'helm.sh/helm/v3/pkg/chartutil.k8sVersionMinor': `minor(${kubernetes})`,
      'helm.sh/helm/v3/pkg/lint/rules.k8sVersionMajor': `major(${kubernetes})`,
      'helm.sh/helm/v3/pkg/lint/rules.k8sVersionMinor': `minor(${kubernetes})`,
    },
  },
  'cert-manager': {
    module: 'cert-manager',
    release: 'github.com/cert-manager/cert-manager',
    package: '.',
    builtAs: 'localcloud',
    variables: {
      'github.com/cert-manager/cert-manager/pkg/util.AppVersion': 'v(github.com/cert-manager/cert-manager)',
    },
  },
  'workload-identity-webhook': {
    module: 'workload-identity-webhook',
    release: 'github.com/Azure/azure-workload-identity',
    package: '.',
    variables: {
      'github.com/Azure/azure-workload-identity/pkg/version.BuildVersion':
        'v(github.com/Azure/azure-workload-identity)',
    },
  },
  'secrets-store-csi-driver': {
    module: 'secrets-store',
    release: secretsStoreDriver,
    package: `${secretsStoreDriver}/cmd/secrets-store-csi-driver`,
    variables: { [`${secretsStoreDriver}/pkg/version.BuildVersion`]: `v(${secretsStoreDriver})` },
  },
  'secrets-store-provider-azure': {
    module: 'secrets-store',
    release: secretsStoreProvider,
    package: '.',
    variables: { [`${secretsStoreProvider}/pkg/version.BuildVersion`]: `v(${secretsStoreProvider})` },
  },
  'azure-service-operator': {
    module: 'azure-service-operator',
    release: serviceOperator,
    package: '.',
    builtAs: 'localcloud',
    variables: { [`${serviceOperator}/internal/version.BuildVersion`]: `v(${serviceOperator})` },
    groups: serviceOperatorGroups,
    definitions: {
      generator: 'sigs.k8s.io/controller-tools/cmd/controller-gen',
      packages: serviceOperatorGroups.map((group) => `${serviceOperator}/api/${group}/...`),
      owner: 'azure-service-operator',
      version: `v(${serviceOperator})`,
      // The operator replaces the namespace with its own.
      certificate: 'azureserviceoperator-system/azureserviceoperator-serving-cert',
      conversion: 'azureserviceoperator-system/azureserviceoperator-webhook-service',
    },
  },
  'hosted-cluster-pod': {
    module: 'hypershift',
    release: hypershift,
    forTests: true,
    package: '.',
    builtAs: 'hypershift',
    files: ['hostedclusters-Hypershift-Default', 'nodepools-Default'].map(
      (name) => `cmd/install/assets/hypershift-operator/zz_generated.crd-manifests/${name}.crd.yaml`,
    ),
  },
  'hypershift-operator': {
    module: 'hypershift',
    release: hypershift,
    forTests: true,
    package: './operator',
    builtAs: 'operator',
    // Importing them would add 900 packages: Cluster API with its providers, AWS, and Azure's network.
    copies: [
      { file: 'support/secretproviderclass/secretproviderclass.go' },
      { file: 'support/config/constants.go' },
      { file: 'support/azureutil/azureutil.go', functions: ['IsAroHCP', 'GetKeyVaultAuthorizedUser'] },
      {
        file: 'support/capabilities/hosted_control_plane_capabilities.go',
        functions: ['IsIngressCapabilityEnabled', 'IsImageRegistryCapabilityEnabled'],
      },
      {
        file: 'hypershift-operator/controllers/manifests/manifests.go',
        functions: ['HostedControlPlaneNamespace'],
      },
    ],
  },
  'aad-pod-identity': {
    module: 'pod-identity',
    release: podIdentity,
    forTests: true,
    package: '.',
    builtAs: 'pod-identity',
    variables: {
      [`${podIdentity}/version.MICVersion`]: `bare(${podIdentity})`,
      [`${podIdentity}/version.NMIVersion`]: `bare(${podIdentity})`,
    },
  },
  jobset: {
    module: 'jobset',
    release: jobSet,
    forTests: true,
    package: '.',
    variables: { [`${jobSet}/pkg/version.GitVersion`]: `v(${jobSet})` },
  },
};

/** Modules in the order of their builds. The first one shares most packages with the others. */
export const buildOrder: readonly GoModule[] = [
  'core',
  'workload-identity-webhook',
  'cert-manager',
  'secrets-store',
  'azure-service-operator',
  'hypershift',
  'pod-identity',
  'jobset',
];

export const everyTool = Object.keys(recipes) as Tool[];

/** Programs that only tests run, or somebody who installs their charts. */
export const programsForTests = everyTool.filter((tool) => recipes[tool].forTests === true);
