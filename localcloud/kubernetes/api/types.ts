// Types of Kubernetes objects, with only the fields that the agent uses.

interface ObjectMeta {
  name: string;
  namespace?: string;
  uid: string;
  resourceVersion?: string;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  deletionTimestamp?: string;
  deletionGracePeriodSeconds?: number;
  creationTimestamp?: string;
  ownerReferences?: { kind: string; name: string; uid: string }[];
}

export interface ApiObject {
  metadata: ObjectMeta;
}

interface KeyRef {
  name?: string;
  key: string;
  optional?: boolean;
}

export interface EnvVar {
  name: string;
  value?: string;
  valueFrom?: {
    fieldRef?: { fieldPath: string };
    resourceFieldRef?: { resource: string; containerName?: string; divisor?: string };
    secretKeyRef?: KeyRef;
    configMapKeyRef?: KeyRef;
  };
}

interface EnvFrom {
  prefix?: string;
  secretRef?: { name?: string; optional?: boolean };
  configMapRef?: { name?: string; optional?: boolean };
}

export interface Probe {
  httpGet?: {
    path?: string;
    port: number | string;
    scheme?: string;
    httpHeaders?: { name: string; value: string }[];
  };
  tcpSocket?: { port: number | string };
  exec?: { command?: string[] };
  grpc?: { port: number };
  initialDelaySeconds?: number;
  periodSeconds?: number;
  timeoutSeconds?: number;
  successThreshold?: number;
  failureThreshold?: number;
}

interface VolumeMount {
  name: string;
  mountPath: string;
  subPath?: string;
}

export interface Container {
  name: string;
  image: string;
  command?: string[];
  args?: string[];
  workingDir?: string;
  env?: EnvVar[];
  envFrom?: EnvFrom[];
  ports?: { name?: string; containerPort: number; protocol?: string }[];
  volumeMounts?: VolumeMount[];
  resources?: { limits?: Record<string, string>; requests?: Record<string, string> };
  livenessProbe?: Probe;
  readinessProbe?: Probe;
  startupProbe?: Probe;
  terminationMessagePolicy?: string;
  /** Only for init containers: `Always` makes it a sidecar. */
  restartPolicy?: string;
}

export interface KeyToPath {
  key: string;
  path: string;
}

export interface DownwardItem {
  path: string;
  fieldRef?: { fieldPath: string };
  resourceFieldRef?: { resource: string; containerName?: string; divisor?: string };
}

interface ProjectedSource {
  serviceAccountToken?: { audience?: string; expirationSeconds?: number; path: string };
  secret?: { name?: string; items?: KeyToPath[]; optional?: boolean };
  configMap?: { name?: string; items?: KeyToPath[]; optional?: boolean };
  downwardAPI?: { items?: DownwardItem[] };
}

/** A path of the node. */
export interface HostPath {
  path: string;
  type?: string;
}

export interface Volume {
  name: string;
  secret?: { secretName?: string; items?: KeyToPath[]; optional?: boolean };
  configMap?: { name?: string; items?: KeyToPath[]; optional?: boolean };
  projected?: { sources?: ProjectedSource[] };
  downwardAPI?: { items?: DownwardItem[] };
  emptyDir?: object;
  hostPath?: HostPath;
  csi?: {
    driver: string;
    readOnly?: boolean;
    volumeAttributes?: Record<string, string>;
    nodePublishSecretRef?: { name: string };
  };
}

export type RestartPolicy = 'Always' | 'OnFailure' | 'Never';

export interface ContainerStatus {
  name: string;
  image: string;
  imageID: string;
  containerID?: string;
  ready: boolean;
  started?: boolean;
  restartCount: number;
  state: ContainerStateStatus;
  lastState?: ContainerStateStatus;
}

export interface ContainerStateStatus {
  waiting?: { reason: string; message?: string };
  running?: { startedAt: string };
  terminated?: {
    exitCode: number;
    signal?: number;
    reason: string;
    message?: string;
    startedAt?: string;
    finishedAt: string;
    containerID?: string;
  };
}

export interface PodCondition {
  type: string;
  status: 'True' | 'False' | 'Unknown';
  lastTransitionTime?: string;
  reason?: string;
  message?: string;
}

export interface PodStatus {
  phase?: string;
  conditions?: PodCondition[];
  podIP?: string;
  startTime?: string;
  containerStatuses?: ContainerStatus[];
  initContainerStatuses?: ContainerStatus[];
}

export interface Pod extends ApiObject {
  metadata: ObjectMeta & { namespace: string };
  spec: {
    nodeName?: string;
    serviceAccountName?: string;
    hostNetwork?: boolean;
    restartPolicy?: RestartPolicy;
    terminationGracePeriodSeconds?: number;
    containers: Container[];
    initContainers?: Container[];
    volumes?: Volume[];
    readinessGates?: { conditionType: string }[];
  };
  status?: PodStatus;
}

export interface Service extends ApiObject {
  spec: {
    clusterIP?: string;
    selector?: Record<string, string>;
    ports?: { name?: string; port: number; targetPort?: number | string }[];
  };
}

/** A Secret or a ConfigMap. */
export interface DataObject extends ApiObject {
  /** Base64 in a Secret, plain text in a ConfigMap. */
  data?: Record<string, string>;
  /** Base64; ConfigMaps only. */
  binaryData?: Record<string, string>;
}
