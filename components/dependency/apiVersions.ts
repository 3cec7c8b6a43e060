/**
 * Dates of the API versions in releases of Azure Service Operator, by group without `.azure.com` (azure-service-operator
 * v2.20.0, v2/api). Groups with a single version are left out. A date stands for the versions `v1api<date>` and `v<date>`;
 * the operator may serve only one of them.
 */
const releasedVersions: Readonly<Record<string, string>> = {
  alertsmanagement: '20210401 20230301',
  apimanagement: '20220801 20230501preview 20240501',
  app: '20240301 20250101',
  appconfiguration: '20220501 20240601',
  authorization: '20200801preview 20220401',
  batch: '20210101 20240701',
  cache: '20201201 20210301 20230401 20230701 20230801 20241101 20250401',
  cdn: '20210601 20230501',
  cognitiveservices: '20250601',
  compute: '20200930 20201201 20210701 20220301 20220702 20240302 20241101 20250401',
  containerregistry: '20210901 20230701',
  containerservice: '20240901 20250301 20250801 20251002preview',
  datafactory: '20180601',
  dataprotection: '20230101 20231101',
  dbformysql: '20210501 20220101 20230630 20231230 20241230 20250601preview',
  dbforpostgresql: '20210601 20220120preview 20221201 20230601preview 20240801 20250801',
  documentdb: '20210515 20231115 20240701 20240815 20251015',
  eventgrid: '20200601',
  eventhub: '20211101 20240101',
  insights:
    '20171001 20180301 20180501preview 20200202 20201001 20210501preview 20220615 20221001 20230101 20230311 20230601 20240311 20250101preview',
  keyvault: '20210401preview 20230701',
  kubernetesconfiguration: '20230501 20241101',
  kusto: '20230815 20240413',
  machinelearningservices: '20210701 20240401',
  managedidentity: '20181130 20220131preview 20230131',
  network:
    '20180501 20180901 20200601 20201101 20220401 20220701 20240101 20240301 20240601 20241001 20250301',
  operationalinsights: '20210601 20250701',
  search: '20220901 20231101',
  servicebus: '20210101preview 20211101 20221001preview 20240101',
  signalrservice: '20211001 20240301',
  storage: '20210401 20220901 20230101 20250601',
  synapse: '20210601',
  web: '20220301',
};

/**
 * Returns Pulumi's types of a custom resource in the other API versions of its group, for aliases. Pulumi's type contains
 * the version: without an alias, a change of the version would delete the object and create it again.
 * @param apiVersion such as `storage.azure.com/v1api20230101`
 */
export function typesOfOtherVersions(apiVersion: string, kind: string): string[] {
  const [group = '', version = ''] = apiVersion.split('/');
  const dates = releasedVersions[group.replace(/\.azure\.com$/, '')]?.split(' ') ?? [];
  return dates
    .flatMap((date) => [`v1api${date}`, `v${date}`])
    .filter((other) => other !== version)
    .map((other) => `kubernetes:${group}/${other}:${kind}`);
}
