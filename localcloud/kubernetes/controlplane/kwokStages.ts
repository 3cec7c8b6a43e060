import { stringify } from 'yaml';

/** A jq expression on a Kubernetes object. A list of values matches if any of them does. */
interface Expression {
  key: string;
  operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist';
  values?: string[];
}

const readyCondition = '.status.conditions.[] | select( .type == "Ready" ) | .status';

/**
 * Expression for the image repository of each container: the image reference without digest and tag. imageReference.ts
 * has the same rule.
 */
const repositories = '.spec.containers[].image | sub("@.*$"; "") | sub(":[^/]*$"; "")';

function stage(name: string, kind: 'Node' | 'Pod', matchExpressions: Expression[], next: object): string {
  return stringify({
    apiVersion: 'kwok.x-k8s.io/v1alpha1',
    kind: 'Stage',
    metadata: { name },
    spec: { resourceRef: { apiGroup: 'v1', kind }, selector: { matchExpressions }, next },
  });
}

const notDeleted: Expression = { key: '.metadata.deletionTimestamp', operator: 'DoesNotExist' };

const nodeStatus = `
{{ $now := Now }}
conditions:
{{ range NodeConditions }}
- lastHeartbeatTime: {{ $now | Quote }}
  lastTransitionTime: {{ $now | Quote }}
  message: {{ .message | Quote }}
  reason: {{ .reason | Quote }}
  status: {{ .status | Quote }}
  type: {{ .type | Quote }}
{{ end }}
allocatable: { cpu: 1k, memory: 1Ti, pods: 1M }
capacity: { cpu: 1k, memory: 1Ti, pods: 1M }
phase: Running
`;

// The condition distinguishes a simulated pod from one that a kubelet runs.
const podRunning = `
{{ $now := Now }}
conditions:
- { type: local-cloud/Simulated, status: "True", lastTransitionTime: {{ $now | Quote }} }
{{ range $type := list "PodReadyToStartContainers" "Initialized" "ContainersReady" "Ready" }}
- { type: {{ $type }}, status: "True", lastTransitionTime: {{ $now | Quote }} }
{{ end }}
{{ range .spec.readinessGates }}
- { type: {{ .conditionType | Quote }}, status: "True", lastTransitionTime: {{ $now | Quote }} }
{{ end }}
containerStatuses:
{{ range .spec.containers }}
- { name: {{ .name | Quote }}, image: {{ .image | Quote }}, imageID: "", ready: true, started: true, restartCount: 0, state: { running: { startedAt: {{ $now | Quote }} } } }
{{ end }}
initContainerStatuses:
{{ range .spec.initContainers }}
- name: {{ .name | Quote }}
  image: {{ .image | Quote }}
  imageID: ""
  ready: true
  restartCount: 0
  {{ if eq .restartPolicy "Always" }}
  started: true
  state: { running: { startedAt: {{ $now | Quote }} } }
  {{ else }}
  state: { terminated: { exitCode: 0, reason: Completed, startedAt: {{ $now | Quote }}, finishedAt: {{ $now | Quote }} } }
  {{ end }}
{{ end }}
{{ $ips := PodIPsWith .spec.nodeName ( or .spec.hostNetwork false ) ( or .metadata.uid "" ) ( or .metadata.name "" ) ( or .metadata.namespace "" ) }}
{{ with $ips }}
podIP: {{ index . 0 | Quote }}
podIPs:
{{ range . }}
- ip: {{ . | Quote }}
{{ end }}
{{ end }}
phase: Running
startTime: {{ $now | Quote }}
`;

const podCompleted = `
{{ $now := Now }}
containerStatuses:
{{ range .spec.containers }}
- { name: {{ .name | Quote }}, image: {{ .image | Quote }}, imageID: "", ready: false, started: false, restartCount: 0, state: { terminated: { exitCode: 0, reason: Completed, startedAt: {{ $now | Quote }}, finishedAt: {{ $now | Quote }} } } }
{{ end }}
phase: Succeeded
`;

/**
 * Returns kwok's configuration. kwok simulates the node, and each pod that has no image in the image table. kwok and the
 * agent select pods by the same immutable field, so that only one of them handles a pod.
 */
export function kwokConfig(tableRepositories: readonly string[]): string {
  const withoutProcess: Expression[] =
    tableRepositories.length === 0
      ? []
      : [{ key: repositories, operator: 'NotIn', values: [...tableRepositories] }];
  return [
    stage('node-ready', 'Node', [{ key: readyCondition, operator: 'NotIn', values: ['True'] }], {
      statusTemplate: nodeStatus,
    }),
    stage(
      'pod-ready',
      'Pod',
      [
        notDeleted,
        { key: '.status.phase', operator: 'In', values: ['Pending'] },
        { key: readyCondition, operator: 'NotIn', values: ['True'] },
        ...withoutProcess,
      ],
      { statusTemplate: podRunning },
    ),
    stage(
      'pod-complete',
      'Pod',
      [
        notDeleted,
        { key: '.status.phase', operator: 'In', values: ['Running'] },
        { key: '.metadata.ownerReferences.[].kind', operator: 'In', values: ['Job'] },
        ...withoutProcess,
      ],
      { statusTemplate: podCompleted },
    ),
    stage(
      'pod-delete',
      'Pod',
      [{ key: '.metadata.deletionTimestamp', operator: 'Exists' }, ...withoutProcess],
      { delete: true },
    ),
  ].join('---\n');
}
