/** Charts that the local cloud installs or serves. */
export type Chart =
  | 'cert-manager'
  | 'azure-service-operator'
  | 'workload-identity-webhook'
  | 'secrets-store-csi-driver'
  | 'aad-pod-identity'
  | 'jobset';

export interface ChartSource {
  /** Folder in `modules/` whose go.mod and go.sum pin the module. */
  pins: PinFolder;
  /** Go module that contains the chart. */
  module: string;
  /** Path in the module: a folder to package, or an archive to use unchanged. */
  path: string;
  /** Whether to set the chart's version, as cert-manager's release process does: its source has v0.0.0. */
  versionFromModule?: boolean;
  /**
   * Template of Chart.yaml, and the values that the vendor's release process fills in.
   *
   * @default the folder has a Chart.yaml
   */
  template?: { file: string; values: Readonly<Record<string, string>> };
  /**
   * Values that the vendor's release process sets in values.yaml, by their path; `v(path)` is the pinned version of a module.
   *
   * @default the chart is released with the values of its source
   */
  values?: Readonly<Record<string, string>>;
}

/** Folders of `modules/` that pin charts. A go.mod can pin only one version of a module, so older ones have their own. */
export const pinFolders = ['charts', 'charts-before'] as const;
export type PinFolder = (typeof pinFolders)[number];

/** Folder of the older charts, next to the current ones. */
export const beforeFolder = 'before';

/** The source of each chart, in a Go module that its vendor releases. No chart repository is used. */
export const chartSources: Readonly<Record<Chart, ChartSource>> = {
  'cert-manager': {
    pins: 'charts',
    module: 'github.com/cert-manager/cert-manager',
    path: 'deploy/charts/cert-manager',
    versionFromModule: true,
  },
  'azure-service-operator': {
    pins: 'charts',
    module: 'github.com/Azure/azure-service-operator/v2',
    path: 'charts/azure-service-operator-2.19.0.tgz',
  },
  'workload-identity-webhook': {
    pins: 'charts',
    module: 'github.com/Azure/azure-workload-identity',
    path: 'charts/workload-identity-webhook',
  },
  'secrets-store-csi-driver': {
    pins: 'charts',
    module: 'sigs.k8s.io/secrets-store-csi-driver',
    path: 'charts/secrets-store-csi-driver',
  },
  'aad-pod-identity': {
    pins: 'charts',
    module: 'github.com/Azure/aad-pod-identity',
    path: 'charts/aad-pod-identity',
  },
  jobset: {
    pins: 'charts',
    module: 'sigs.k8s.io/jobset',
    path: 'charts/jobset',
    // As in hack/helm-chart-package.sh.
    values: {
      'image.repository': 'registry.k8s.io/jobset/jobset',
      'image.tag': 'v(sigs.k8s.io/jobset)',
      'image.pullPolicy': 'IfNotPresent',
    },
  },
};

/** Charts in the previous minor version, which stacks install to upgrade from. */
const chartsBefore: Readonly<Partial<Record<Chart, ChartSource>>> = {
  'cert-manager': {
    pins: 'charts-before',
    module: 'github.com/cert-manager/cert-manager',
    path: 'deploy/charts/cert-manager',
    versionFromModule: true,
    // As in make/manifests.mk of that version.
    template: { file: 'Chart.template.yaml', values: { IS_PRERELEASE: 'false' } },
  },
  // This module contains the charts of all earlier versions.
  'azure-service-operator': {
    pins: 'charts',
    module: 'github.com/Azure/azure-service-operator/v2',
    path: 'charts/azure-service-operator-2.18.0.tgz',
  },
};

/** Every chart by the path of its file, relative to the charts' folder. */
export const chartFiles: ReadonlyMap<string, ChartSource> = new Map([
  ...Object.entries(chartSources).map(([chart, source]) => [`${chart}.tgz`, source] as const),
  ...Object.entries(chartsBefore).map(([chart, source]) => [`${beforeFolder}/${chart}.tgz`, source] as const),
]);
