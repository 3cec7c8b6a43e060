import type { ChartSource } from './chart';

// Not in the components' files, because the configuration's schema imports the versions too, and must not load a provider. The
// tests deploy these charts on the local cloud (localcloud/toolchain/modules/charts).

/** cert-manager's chart in its vendor's repository. */
export const certManagerChart: ChartSource = {
  chart: 'cert-manager',
  repository: 'https://charts.jetstack.io',
  version: 'v1.21.2',
};

/** Azure Service Operator's chart in its vendor's repository. */
export const serviceOperatorChart: ChartSource = {
  chart: 'azure-service-operator',
  repository: 'https://raw.githubusercontent.com/Azure/azure-service-operator/main/v2/charts',
  version: '2.19.0',
};

/** aad-pod-identity's last chart, in its vendor's repository. */
export const podIdentityChart: ChartSource = {
  chart: 'aad-pod-identity',
  repository: 'https://raw.githubusercontent.com/Azure/aad-pod-identity/master/charts',
  version: '4.1.18',
};

/** The webhook's chart in its vendor's repository. */
export const workloadIdentityWebhookChart: ChartSource = {
  chart: 'workload-identity-webhook',
  repository: 'https://azure.github.io/azure-workload-identity/charts',
  version: '1.6.0',
};
