/** Charts that the local cloud installs or serves. */
export type Chart =
  'cert-manager' | 'azure-service-operator' | 'workload-identity-webhook' | 'secrets-store-csi-driver';

/** Where a chart comes from. */
export interface ChartSource {
  /** Folder of `modules/` whose go.mod and go.sum pin the module. */
  pins: PinFolder;
  /** Go module that carries the chart. */
  module: string;
  /** A folder to package, or an archive to take as it is. */
  path: string;
  /** The release process of cert-manager writes the version; in the source it is v0.0.0. */
  versionFromModule?: boolean;
  /**
   * File of the folder that becomes Chart.yaml, and what the vendor's release process fills in.
   * @default the folder has a Chart.yaml
   */
  template?: { file: string; values: Readonly<Record<string, string>> };
}

/** A go.mod has one version of a module: those of older versions are in a folder of their own. */
export const pinFolders = ['charts', 'charts-before'] as const;
export type PinFolder = (typeof pinFolders)[number];

/** Folder of the older charts, beside the newest ones. */
export const beforeFolder = 'before';

/** No chart repository is asked: each chart comes out of the Go module that its vendor releases. */
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
};

/** One minor version older, of the charts that stacks install: what an upgrade starts from. */
export const chartsBefore: Readonly<Partial<Record<Chart, ChartSource>>> = {
  'cert-manager': {
    pins: 'charts-before',
    module: 'github.com/cert-manager/cert-manager',
    path: 'deploy/charts/cert-manager',
    versionFromModule: true,
    // make/manifests.mk of that version.
    template: { file: 'Chart.template.yaml', values: { IS_PRERELEASE: 'false' } },
  },
  // A module carries the charts of all earlier versions.
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
