"""The newest Azure SDKs for Python, unpatched, against the local cloud of the shell's variables (`cloud env`).

One line for each operation; the exit code is 1 if one fails. What it makes is in a resource group of its own, deleted at
the end.
"""

import os
import sys
import uuid

from azure.identity import DefaultAzureCredential
from azure.keyvault.secrets import SecretClient
from azure.mgmt.authorization import AuthorizationManagementClient
from azure.mgmt.containerservice import ContainerServiceClient
from azure.mgmt.keyvault import KeyVaultManagementClient
from azure.mgmt.loganalytics import LogAnalyticsManagementClient
from azure.mgmt.msi import ManagedServiceIdentityClient
from azure.mgmt.network import NetworkManagementClient
from azure.mgmt.postgresqlflexibleservers import PostgreSQLManagementClient
from azure.mgmt.resource.locks import ManagementLockClient
from azure.mgmt.resource.resources import ResourceManagementClient
from azure.mgmt.storage import StorageManagementClient

SUBSCRIPTION = os.environ["AZURE_SUBSCRIPTION_ID"]
TENANT = os.environ["AZURE_TENANT_ID"]
GROUP = "rg-witness-python"
SCOPE = f"/subscriptions/{SUBSCRIPTION}/resourceGroups/{GROUP}"
SUFFIX = uuid.uuid4().hex[:8]
VAULT, ACCOUNT, SERVER = f"kv-witness-{SUFFIX}", f"stwitness{SUFFIX}", f"pg-witness-{SUFFIX}"
READER = "acdd72a7-3385-48ef-bd42-f606fba81ae7"
OFFICER = "b86a8fe4-44ce-4948-aee5-eccb2c155cd7"
HERE = {"location": "westeurope"}

credential = DefaultAzureCredential()
failed = 0


def client(of):
    return of(credential, SUBSCRIPTION)


def witness(name, operation):
    """Prints whether the operation succeeds, and returns its result."""
    global failed
    try:
        result = operation()
        print(f"ok    {name}", flush=True)
        return result
    except Exception as error:  # whatever a client throws
        failed += 1
        print(f"FAIL  {name}: {type(error).__name__}: {' '.join(str(error).split())[:300]}", flush=True)


resources, vaults = client(ResourceManagementClient), client(KeyVaultManagementClient)
identities, clusters = client(ManagedServiceIdentityClient), client(ContainerServiceClient)
access, storage = client(AuthorizationManagementClient), client(StorageManagementClient)
network, logs = client(NetworkManagementClient), client(LogAnalyticsManagementClient)
servers, locks = client(PostgreSQLManagementClient), client(ManagementLockClient)


def assign(role, principal, principal_type="ServicePrincipal"):
    definition = f"/subscriptions/{SUBSCRIPTION}/providers/Microsoft.Authorization/roleDefinitions/{role}"
    properties = {"roleDefinitionId": definition, "principalId": principal, "principalType": principal_type}
    return access.role_assignments.create(SCOPE, str(uuid.uuid4()), {"properties": properties})


def own_object_id():
    """The object id of the signed-in principal, from its token."""
    import base64
    import json

    payload = credential.get_token("https://management.azure.com/.default").token.split(".")[1]
    return json.loads(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))["oid"]


witness("create a resource group", lambda: resources.resource_groups.create_or_update(GROUP, HERE))
witness("list resource groups", lambda: list(resources.resource_groups.list()))
identity = witness(
    "create an identity", lambda: identities.user_assigned_identities.create_or_update(GROUP, "id-witness", HERE)
)
federated = {"issuer": "https://issuer.example", "subject": "a", "audiences": ["api://AzureADTokenExchange"]}
credentials = identities.federated_identity_credentials
witness(
    "create a federated credential",
    lambda: credentials.create_or_update(GROUP, "id-witness", "trust", {"properties": federated}),
)
witness("list federated credentials", lambda: list(credentials.list(GROUP, "id-witness")))
witness("delete a federated credential", lambda: credentials.delete(GROUP, "id-witness", "trust"))
witness("assign a role", lambda: assign(READER, identity.principal_id))
witness("list role assignments", lambda: list(access.role_assignments.list_for_scope(SCOPE)))
witness("find a role by name", lambda: list(access.role_definitions.list(SCOPE, filter="roleName eq 'Reader'")))
properties = {"tenantId": TENANT, "sku": {"family": "A", "name": "standard"}, "accessPolicies": []}
vault = witness(
    "create a vault",
    lambda: vaults.vaults.begin_create_or_update(GROUP, VAULT, {**HERE, "properties": properties}).result(),
)
witness("list vaults", lambda: list(vaults.vaults.list_by_resource_group(GROUP)))
witness(
    "write a secret through the resource manager",
    lambda: vaults.secrets.create_or_update(GROUP, VAULT, "first", {"properties": {"value": "hidden"}}),
)
witness("get access to the secrets", lambda: assign(OFFICER, own_object_id()))
secrets = SecretClient(f"https://{VAULT}.vault.azure.net", credential)
witness("set a secret", lambda: secrets.set_secret("second", "hidden"))
witness("read a secret", lambda: secrets.get_secret("second").value == "hidden" or sys.exit("another value"))
witness("list secrets", lambda: list(secrets.list_properties_of_secrets()))
witness("list versions", lambda: list(secrets.list_properties_of_secret_versions("second")))
witness("change a secret's tags", lambda: secrets.update_secret_properties("second", tags={"a": "b"}))
witness("delete a secret", lambda: secrets.begin_delete_secret("second").result())
witness("recover a secret", lambda: secrets.begin_recover_deleted_secret("second").result())
subnet = {"id": f"{SCOPE}/providers/Microsoft.Network/virtualNetworks/v/subnets/s"}
witness(
    "create a private endpoint",
    lambda: network.private_endpoints.begin_create_or_update(
        GROUP,
        "pe-witness",
        {
            **HERE,
            "properties": {
                "subnet": subnet,
                "privateLinkServiceConnections": [
                    {"name": "vault", "properties": {"privateLinkServiceId": vault.id, "groupIds": ["vault"]}}
                ],
            },
        },
    ).result(),
)
workspace = {**HERE, "properties": {"sku": {"name": "PerGB2018"}}}
witness("create a workspace", lambda: logs.workspaces.begin_create_or_update(GROUP, "log-witness", workspace).result())
account = {**HERE, "kind": "StorageV2", "sku": {"name": "Standard_LRS"}, "properties": {}}
witness("create a storage account", lambda: storage.storage_accounts.begin_create(GROUP, ACCOUNT, account).result())
witness("list the keys of a storage account", lambda: storage.storage_accounts.list_keys(GROUP, ACCOUNT))
server = {
    **HERE,
    "sku": {"name": "Standard_B1ms", "tier": "Burstable"},
    "properties": {
        **{"version": "17", "administratorLogin": "witness", "storage": {"storageSizeGB": 32}},
        "administratorLoginPassword": f"Aa1-{uuid.uuid4()}",
    },
}
witness("create a PostgreSQL server", lambda: servers.servers.begin_create_or_update(GROUP, SERVER, server).result())
witness("create a database", lambda: servers.databases.begin_create(GROUP, SERVER, "db", {"properties": {}}).result())
witness("list clusters", lambda: list(clusters.managed_clusters.list()))
cluster = next(iter(clusters.managed_clusters.list()), None)
if cluster is not None:
    group = cluster.id.split("/")[4]
    witness("read a cluster's issuer", lambda: clusters.managed_clusters.get(group, cluster.name).oidc_issuer_profile)
    witness(
        "get a cluster's credentials",
        lambda: clusters.managed_clusters.list_cluster_admin_credentials(group, cluster.name),
    )
lock = locks.management_locks
witness(
    "lock the group",
    lambda: lock.create_or_update_at_resource_group_level(GROUP, "witness", {"level": "CanNotDelete"}),
)
witness("unlock the group", lambda: lock.delete_at_resource_group_level(GROUP, "witness"))
witness("list resources", lambda: list(resources.resources.list_by_resource_group(GROUP)))
witness("delete a vault", lambda: vaults.vaults.delete(GROUP, VAULT))
witness("list deleted vaults", lambda: list(vaults.vaults.list_deleted()))
witness("purge a vault", lambda: vaults.vaults.begin_purge_deleted(VAULT, "westeurope").result())
witness("delete the resource group", lambda: resources.resource_groups.begin_delete(GROUP).result())
sys.exit(1 if failed > 0 else 0)
