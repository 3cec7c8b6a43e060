/**
 * Published API versions of the resource providers. Sources: the resource types in Azure/bicep-types-az of 2026-08-20;
 * for later ones Azure/azure-rest-api-specs and the operations of azure-mgmt-keyvault 14.1, -containerservice 41.8,
 * -storage 25.3, -network 33.1 and -postgresqlflexibleservers 3.0 (PyPI); for role assignments and definitions also
 * those that Azure names in its errors (Azure/azure-sdk-for-java #28334).
 */
const list = (versions: string): readonly string[] => versions.trim().split(/\s+/);

export const GROUPS = list(`
  2015-11-01 2016-02-01 2016-07-01 2016-09-01 2017-05-10 2018-02-01 2018-05-01 2019-03-01 2019-05-01
  2019-05-10 2019-07-01 2019-08-01 2019-10-01 2020-06-01 2020-08-01 2020-10-01 2021-01-01 2021-04-01
  2022-09-01 2023-07-01 2024-03-01 2024-07-01 2024-11-01 2025-03-01 2025-04-01
`);

export const IDENTITIES = list(`
  2015-08-31-preview 2018-11-30 2021-09-30-preview 2022-01-31-preview 2023-01-31 2023-07-31-preview
  2024-11-30 2025-01-31-preview 2025-05-31-preview 2026-04-30 2026-05-31
`);

export const KEY_VAULT = list(`
  2015-06-01 2016-10-01 2018-02-14 2018-02-14-preview 2019-09-01 2020-04-01-preview 2021-04-01-preview
  2021-06-01-preview 2021-10-01 2021-11-01-preview 2022-02-01-preview 2022-07-01 2022-11-01 2023-02-01
  2023-07-01 2024-04-01-preview 2024-11-01 2024-12-01-preview 2025-05-01 2026-02-01 2026-03-01-preview
  2026-05-15 2026-06-01-preview
`);

export const ROLE_ASSIGNMENTS = list(`
  2014-04-01-preview 2014-07-01-preview 2014-10-01-preview 2015-05-01-preview 2015-06-01 2015-07-01
  2016-07-01 2017-05-01 2017-09-01 2017-10-01-preview 2018-01-01-preview 2018-07-01 2018-09-01-preview
  2018-12-01-preview 2019-04-01-preview 2020-03-01-preview 2020-04-01-preview 2020-08-01-preview
  2020-10-01-preview 2021-04-01-preview 2022-01-01-preview 2022-04-01
`);

export const ROLE_DEFINITIONS = list(`
  2014-04-01-preview 2014-07-01-preview 2014-10-01-preview 2015-05-01-preview 2015-06-01 2015-07-01
  2016-07-01 2017-05-01 2017-09-01 2018-01-01-preview 2018-07-01 2022-04-01 2022-05-01-preview
`);

export const LOCKS = list(`
  2015-01-01 2016-09-01 2017-04-01 2020-05-01
`);

export const WORKSPACES = list(`
  2015-11-01-preview 2020-03-01-preview 2020-08-01 2020-10-01 2021-06-01 2021-12-01-preview 2022-10-01
  2023-09-01 2025-02-01 2025-07-01 2026-03-01
`);

/** Not 2020-01-01-preview, which has the settings of management groups only (azure-rest-api-specs). */
export const DIAGNOSTIC_SETTINGS = list(`
  2015-07-01 2016-09-01 2017-05-01-preview 2021-05-01-preview
`);

export const NETWORK = list(`
  2018-10-01 2019-04-01 2019-06-01 2019-07-01 2019-08-01 2019-09-01 2019-11-01 2019-12-01 2020-03-01
  2020-04-01 2020-05-01 2020-06-01 2020-07-01 2020-08-01 2020-11-01 2021-02-01 2021-03-01 2021-05-01
  2021-08-01 2022-01-01 2022-05-01 2022-07-01 2022-09-01 2022-11-01 2023-02-01 2023-04-01 2023-05-01
  2023-06-01 2023-09-01 2023-11-01 2024-01-01 2024-03-01 2024-05-01 2024-07-01 2024-10-01 2025-01-01
  2025-03-01 2025-05-01 2025-07-01 2025-09-01 2026-01-01 2026-03-01
`);

export const DNS_ZONES = list(`
  2015-05-04-preview 2016-04-01 2017-09-01 2017-10-01 2018-03-01-preview 2018-05-01 2023-07-01-preview
`);

export const STORAGE = list(`
  2015-05-01-preview 2015-06-15 2016-01-01 2016-05-01 2016-12-01 2017-06-01 2017-10-01 2018-02-01
  2018-03-01-preview 2018-07-01 2018-11-01 2019-04-01 2019-06-01 2020-08-01-preview 2021-01-01
  2021-02-01 2021-04-01 2021-06-01 2021-08-01 2021-09-01 2022-05-01 2022-09-01 2023-01-01 2023-04-01
  2023-05-01 2024-01-01 2025-01-01 2025-06-01 2025-08-01 2026-04-01 2026-06-01 2026-09-01
`);

export const POSTGRESQL = list(`
  2020-02-14-preview 2020-11-05-preview 2021-06-01 2021-06-01-preview 2022-01-20-preview
  2022-03-08-preview 2022-12-01 2023-03-01-preview 2023-06-01-preview 2023-12-01-preview
  2024-03-01-preview 2024-08-01 2024-11-01-preview 2025-01-01-preview 2025-06-01-preview 2025-08-01
  2026-01-01-preview 2026-04-01-preview 2026-07-01-preview 2026-10-01
`);

export const CONTAINER_SERVICE = list(`
  2017-08-31 2018-03-31 2018-08-01-preview 2019-02-01 2019-04-01 2019-06-01 2019-08-01 2019-10-01
  2019-11-01 2020-01-01 2020-02-01 2020-03-01 2020-04-01 2020-06-01 2020-07-01 2020-09-01 2020-11-01
  2020-12-01 2021-02-01 2021-03-01 2021-05-01 2021-07-01 2021-08-01 2021-09-01 2021-10-01
  2021-11-01-preview 2022-01-01 2022-01-02-preview 2022-02-01 2022-02-02-preview 2022-03-01
  2022-03-02-preview 2022-04-01 2022-04-02-preview 2022-05-02-preview 2022-06-01 2022-06-02-preview
  2022-07-01 2022-07-02-preview 2022-08-02-preview 2022-08-03-preview 2022-09-01 2022-09-02-preview
  2022-10-02-preview 2022-11-01 2022-11-02-preview 2023-01-01 2023-01-02-preview 2023-02-01
  2023-02-02-preview 2023-03-01 2023-03-02-preview 2023-04-01 2023-04-02-preview 2023-05-01
  2023-05-02-preview 2023-06-01 2023-06-02-preview 2023-07-01 2023-07-02-preview 2023-08-01
  2023-08-02-preview 2023-09-01 2023-09-02-preview 2023-10-01 2023-10-02-preview 2023-11-01
  2023-11-02-preview 2024-01-01 2024-01-02-preview 2024-02-01 2024-02-02-preview 2024-03-02-preview
  2024-04-02-preview 2024-05-01 2024-05-02-preview 2024-06-02-preview 2024-07-01 2024-07-02-preview
  2024-08-01 2024-09-01 2024-09-02-preview 2024-10-01 2024-10-02-preview 2025-01-01 2025-01-02-preview
  2025-02-01 2025-02-02-preview 2025-03-01 2025-03-02-preview 2025-04-01 2025-04-02-preview 2025-05-01
  2025-05-02-preview 2025-06-02-preview 2025-07-01 2025-07-02-preview 2025-08-01 2025-08-02-preview
  2025-09-01 2025-09-02-preview 2025-10-01 2025-10-02-preview 2026-01-01 2026-01-02-preview 2026-02-01
  2026-02-02-preview 2026-03-01 2026-03-02-preview 2026-04-01 2026-04-02-preview 2026-05-01
  2026-05-02-preview 2026-06-01 2026-07-01 2026-08-01
`);

/** The versions from the one on in which a type came to its provider. */
export const since = (first: string, versions: readonly string[]): readonly string[] =>
  versions.filter((version) => version >= first);
