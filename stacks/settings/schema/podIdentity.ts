import { podIdentityChart } from '../../../components/platform/vendorCharts';
import { optionalChart, platformChartFields, tested } from './charts';
import { boolean, list, name, object, pattern, reconcilerFields, record } from './fields';

// Kubernetes' rules (kubernetes/website concepts/overview/working-with-objects/labels.md).
const podLabel = pattern(
  /^(?=[^/]{1,253}\/|[^/]+$)([a-z0-9]([a-z0-9.-]*[a-z0-9])?\/)?[A-Za-z0-9]([\w.-]{0,61}[A-Za-z0-9])?$/,
  'Name of a label of pods.',
  'up to 63 letters, digits and . _ -, starting and ending with a letter or digit, after a DNS name and a slash if it has a prefix',
);
const podLabelValue = pattern(
  /^([A-Za-z0-9]([\w.-]{0,61}[A-Za-z0-9])?)?$/,
  'Value of a label of pods.',
  'up to 63 letters, digits and . _ -, starting and ending with a letter or digit; numbers and true or false in quotes',
);

/**
 * Last minor version of Kubernetes on which aad-pod-identity was supported. The project ended in September 2023
 * (Azure/aad-pod-identity website/content/en/docs/_index.md), when 1.27 was the newest generally available version in AKS
 * (MicrosoftDocs/azure-docs articles/aks/supported-kubernetes-versions.md).
 */
export const lastSupportedMinor = 27;

export const podIdentity = optionalChart(
  {
    ...platformChartFields,
    unsupportedKubernetes: boolean(
      `Install it although it is unsupported on the cluster's Kubernetes version. Default: false, which rejects a version newer than 1.${lastSupportedMinor}.`,
    ).optional(),
    exceptions: list(
      object('Pods that get the tokens of their node, as if aad-pod-identity were absent.', {
        name: name('application', 'Name of the exception.'),
        namespace: name('namespace', 'Namespace of the pods, which must exist.'),
        podLabels: record(
          podLabel,
          podLabelValue,
          'Labels of the pods; one of them is enough.',
          'an object of strings',
        ),
      }),
      'Pods that aad-pod-identity leaves alone.',
      'a list of objects with `name`, `namespace` and `podLabels`',
    ).default([]),
  },
  'false: aad-pod-identity is not installed, because the cluster already has it.',
  {
    description: `Chart of aad-pod-identity, for applications with \`signIn: podIdentity\` or \`both\`. Without this setting, it is not installed. ${tested(podIdentityChart)}`,
    allowed:
      'an object of `chart`, `repository`, `version`, `replicas`, `unsupportedKubernetes` and `exceptions`, or { install: false } with `namespace` and `tokenEvents`',
  },
  {
    namespace: name('namespace', 'Namespace of its node component. Default: kube-system.').optional(),
    tokenEvents: boolean(
      'false: another stack on the cluster writes the events of its tokens. Default: true.',
    ).optional(),
  },
);

/** Settings of the writer of aad-pod-identity's token events. */
export const tokenEvents = object(
  'The program that records an event on the binding for the tokens that aad-pod-identity issues, on each cluster with `podIdentity`.',
  reconcilerFields("Seconds between two reads of its node component's log: the longest delay of an event."),
).optional();
