// The newest Azure SDKs for Go, unpatched, against the local cloud of the shell's variables (`cloud env`).
//
// One line for each operation; the exit code is 1 if one fails. What it makes is in a resource group of its own, deleted
// at the end.
package main

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/runtime"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/to"
	"github.com/Azure/azure-sdk-for-go/sdk/azidentity"
	"github.com/Azure/azure-sdk-for-go/sdk/resourcemanager/authorization/armauthorization/v2"
	"github.com/Azure/azure-sdk-for-go/sdk/resourcemanager/containerservice/armcontainerservice/v6"
	"github.com/Azure/azure-sdk-for-go/sdk/resourcemanager/keyvault/armkeyvault"
	"github.com/Azure/azure-sdk-for-go/sdk/resourcemanager/msi/armmsi"
	"github.com/Azure/azure-sdk-for-go/sdk/resourcemanager/network/armnetwork/v8"
	"github.com/Azure/azure-sdk-for-go/sdk/resourcemanager/postgresql/armpostgresqlflexibleservers"
	"github.com/Azure/azure-sdk-for-go/sdk/resourcemanager/resources/armresources/v3"
	"github.com/Azure/azure-sdk-for-go/sdk/resourcemanager/storage/armstorage/v2"
	"github.com/Azure/azure-sdk-for-go/sdk/security/keyvault/azsecrets"
	"github.com/google/uuid"
)

const (
	group   = "rg-witness-go"
	reader  = "acdd72a7-3385-48ef-bd42-f606fba81ae7"
	officer = "b86a8fe4-44ce-4948-aee5-eccb2c155cd7"
)

var (
	ctx          = context.Background()
	subscription = os.Getenv("AZURE_SUBSCRIPTION_ID")
	scope        = "/subscriptions/" + subscription + "/resourceGroups/" + group
	suffix       = uuid.NewString()[:8]
	vaultName    = "kv-witness-" + suffix
	location     = to.Ptr("westeurope")
	failed       = false
)

// witness prints whether the operation succeeds, and returns its result.
func witness[T any](name string, operation func() (T, error)) T {
	result, err := operation()
	if err == nil {
		fmt.Println("ok   ", name)
		return result
	}
	failed = true
	text := strings.Join(strings.Fields(err.Error()), " ")
	fmt.Printf("FAIL  %s: %.400s\n", name, text)
	return result
}

// made is a client, or the end of the program.
func made[T any](client T, err error) T {
	if err != nil {
		fmt.Println("FAIL  make a client:", err)
		os.Exit(1)
	}
	return client
}

// done waits for a long-running operation.
func done[T any](poller *runtime.Poller[T], err error) (T, error) {
	if err != nil {
		var none T
		return none, err
	}
	return poller.PollUntilDone(ctx, nil)
}

// all reads every page of a list.
func all[T any](pager *runtime.Pager[T]) func() ([]T, error) {
	return func() (pages []T, err error) {
		for pager.More() {
			page, err := pager.NextPage(ctx)
			if err != nil {
				return nil, err
			}
			pages = append(pages, page)
		}
		return pages, nil
	}
}

// ownObjectID is the object id of the signed-in principal, from its token.
func ownObjectID(credential *azidentity.DefaultAzureCredential) string {
	token := made(credential.GetToken(ctx, policy.TokenRequestOptions{Scopes: []string{"https://management.azure.com/.default"}}))
	payload := made(base64.RawURLEncoding.DecodeString(strings.Split(token.Token, ".")[1]))
	var claims struct{ OID string }
	if err := json.Unmarshal(payload, &claims); err != nil {
		made(claims, err)
	}
	return claims.OID
}

func main() {
	credential := made(azidentity.NewDefaultAzureCredential(nil))
	resourceClients := made(armresources.NewClientFactory(subscription, credential, nil))
	identities := made(armmsi.NewClientFactory(subscription, credential, nil))
	access := made(armauthorization.NewClientFactory(subscription, credential, nil))
	vaultClients := made(armkeyvault.NewClientFactory(subscription, credential, nil))
	groups, resources := resourceClients.NewResourceGroupsClient(), resourceClients.NewClient()
	assignments := access.NewRoleAssignmentsClient()
	assign := func(role, principal string) func() (armauthorization.RoleAssignmentsClientCreateResponse, error) {
		definition := "/subscriptions/" + subscription + "/providers/Microsoft.Authorization/roleDefinitions/" + role
		return func() (armauthorization.RoleAssignmentsClientCreateResponse, error) {
			return assignments.Create(ctx, scope, uuid.NewString(), armauthorization.RoleAssignmentCreateParameters{
				Properties: &armauthorization.RoleAssignmentProperties{
					RoleDefinitionID: &definition,
					PrincipalID:      &principal,
					PrincipalType:    to.Ptr(armauthorization.PrincipalTypeServicePrincipal),
				},
			}, nil)
		}
	}

	witness("create a resource group", func() (armresources.ResourceGroupsClientCreateOrUpdateResponse, error) {
		return groups.CreateOrUpdate(ctx, group, armresources.ResourceGroup{Location: location}, nil)
	})
	witness("list resource groups", all(groups.NewListPager(nil)))

	identity := witness("create an identity", func() (armmsi.UserAssignedIdentitiesClientCreateOrUpdateResponse, error) {
		return identities.NewUserAssignedIdentitiesClient().CreateOrUpdate(ctx, group, "id-witness", armmsi.Identity{Location: location}, nil)
	})
	trust := identities.NewFederatedIdentityCredentialsClient()
	witness("create a federated credential", func() (armmsi.FederatedIdentityCredentialsClientCreateOrUpdateResponse, error) {
		return trust.CreateOrUpdate(ctx, group, "id-witness", "trust", armmsi.FederatedIdentityCredential{
			Properties: &armmsi.FederatedIdentityCredentialProperties{
				Issuer:    to.Ptr("https://issuer.example"),
				Subject:   to.Ptr("a"),
				Audiences: []*string{to.Ptr("api://AzureADTokenExchange")},
			},
		}, nil)
	})
	witness("list federated credentials", all(trust.NewListPager(group, "id-witness", nil)))
	witness("delete a federated credential", func() (armmsi.FederatedIdentityCredentialsClientDeleteResponse, error) {
		return trust.Delete(ctx, group, "id-witness", "trust", nil)
	})
	if identity.Properties != nil {
		witness("assign a role", assign(reader, *identity.Properties.PrincipalID))
	}
	witness("list role assignments", all(assignments.NewListForScopePager(scope, nil)))
	byName := &armauthorization.RoleDefinitionsClientListOptions{Filter: to.Ptr("roleName eq 'Reader'")}
	witness("find a role by name", all(access.NewRoleDefinitionsClient().NewListPager(scope, byName)))

	vaults := vaultClients.NewVaultsClient()
	vault := witness("create a vault", func() (armkeyvault.VaultsClientCreateOrUpdateResponse, error) {
		return done(vaults.BeginCreateOrUpdate(ctx, group, vaultName, armkeyvault.VaultCreateOrUpdateParameters{
			Location: location,
			Properties: &armkeyvault.VaultProperties{
				TenantID:                to.Ptr(os.Getenv("AZURE_TENANT_ID")),
				SKU:                     &armkeyvault.SKU{Family: to.Ptr(armkeyvault.SKUFamilyA), Name: to.Ptr(armkeyvault.SKUNameStandard)},
				EnableRbacAuthorization: to.Ptr(true),
				AccessPolicies:          []*armkeyvault.AccessPolicyEntry{},
			},
		}, nil))
	})
	witness("list vaults", all(vaults.NewListByResourceGroupPager(group, nil)))
	witness("write a secret through the resource manager", func() (armkeyvault.SecretsClientCreateOrUpdateResponse, error) {
		value := armkeyvault.SecretCreateOrUpdateParameters{Properties: &armkeyvault.SecretProperties{Value: to.Ptr("hidden")}}
		return vaultClients.NewSecretsClient().CreateOrUpdate(ctx, group, vaultName, "first", value, nil)
	})
	witness("get access to the secrets", assign(officer, ownObjectID(credential)))
	secrets := made(azsecrets.NewClient("https://"+vaultName+".vault.azure.net", credential, nil))
	witness("set a secret", func() (azsecrets.SetSecretResponse, error) {
		return secrets.SetSecret(ctx, "second", azsecrets.SetSecretParameters{Value: to.Ptr("hidden")}, nil)
	})
	witness("read a secret", func() (azsecrets.GetSecretResponse, error) {
		found, err := secrets.GetSecret(ctx, "second", "", nil)
		if err == nil && *found.Value != "hidden" {
			err = errors.New("another value")
		}
		return found, err
	})
	witness("list secrets", all(secrets.NewListSecretPropertiesPager(nil)))
	witness("list versions", all(secrets.NewListSecretPropertiesVersionsPager("second", nil)))
	witness("change a secret's tags", func() (azsecrets.UpdateSecretPropertiesResponse, error) {
		tags := azsecrets.UpdateSecretPropertiesParameters{Tags: map[string]*string{"a": to.Ptr("b")}}
		return secrets.UpdateSecretProperties(ctx, "second", "", tags, nil)
	})
	witness("delete a secret", func() (azsecrets.DeleteSecretResponse, error) { return secrets.DeleteSecret(ctx, "second", nil) })
	witness("recover a secret", func() (azsecrets.RecoverDeletedSecretResponse, error) {
		return secrets.RecoverDeletedSecret(ctx, "second", nil)
	})

	endpoints := made(armnetwork.NewPrivateEndpointsClient(subscription, credential, nil))
	witness("create a private endpoint", func() (armnetwork.PrivateEndpointsClientCreateOrUpdateResponse, error) {
		return done(endpoints.BeginCreateOrUpdate(ctx, group, "pe-witness", armnetwork.PrivateEndpoint{
			Location: location,
			Properties: &armnetwork.PrivateEndpointProperties{
				Subnet: &armnetwork.Subnet{ID: to.Ptr(scope + "/providers/Microsoft.Network/virtualNetworks/v/subnets/s")},
				PrivateLinkServiceConnections: []*armnetwork.PrivateLinkServiceConnection{{
					Name: to.Ptr("vault"),
					Properties: &armnetwork.PrivateLinkServiceConnectionProperties{
						PrivateLinkServiceID: vault.ID,
						GroupIDs:             []*string{to.Ptr("vault")},
					},
				}},
			},
		}, nil))
	})
	accounts := made(armstorage.NewAccountsClient(subscription, credential, nil))
	account := "stwitness" + suffix
	witness("create a storage account", func() (armstorage.AccountsClientCreateResponse, error) {
		return done(accounts.BeginCreate(ctx, group, account, armstorage.AccountCreateParameters{
			Location: location,
			Kind:     to.Ptr(armstorage.KindStorageV2),
			SKU:      &armstorage.SKU{Name: to.Ptr(armstorage.SKUNameStandardLRS)},
		}, nil))
	})
	witness("list the keys of a storage account", func() (armstorage.AccountsClientListKeysResponse, error) {
		return accounts.ListKeys(ctx, group, account, nil)
	})
	servers := made(armpostgresqlflexibleservers.NewServersClient(subscription, credential, nil))
	witness("create a PostgreSQL server", func() (armpostgresqlflexibleservers.ServersClientCreateResponse, error) {
		return done(servers.BeginCreate(ctx, group, "pg-witness-"+suffix, armpostgresqlflexibleservers.Server{
			Location: location,
			SKU:      &armpostgresqlflexibleservers.SKU{Name: to.Ptr("Standard_B1ms"), Tier: to.Ptr(armpostgresqlflexibleservers.SKUTierBurstable)},
			Properties: &armpostgresqlflexibleservers.ServerProperties{
				Version:                    to.Ptr(armpostgresqlflexibleservers.ServerVersion("16")),
				AdministratorLogin:         to.Ptr("witness"),
				AdministratorLoginPassword: to.Ptr("Aa1-" + uuid.NewString()),
				Storage:                    &armpostgresqlflexibleservers.Storage{StorageSizeGB: to.Ptr[int32](32)},
			},
		}, nil))
	})

	clusters := made(armcontainerservice.NewManagedClustersClient(subscription, credential, nil))
	pages := witness("list clusters", all(clusters.NewListPager(nil)))
	if len(pages) > 0 && len(pages[0].Value) > 0 {
		cluster := pages[0].Value[0]
		its := strings.Split(*cluster.ID, "/")[4]
		witness("read a cluster", func() (armcontainerservice.ManagedClustersClientGetResponse, error) {
			return clusters.Get(ctx, its, *cluster.Name, nil)
		})
		witness("get a cluster's credentials", func() (armcontainerservice.ManagedClustersClientListClusterAdminCredentialsResponse, error) {
			return clusters.ListClusterAdminCredentials(ctx, its, *cluster.Name, nil)
		})
	}

	witness("list resources", all(resources.NewListByResourceGroupPager(group, nil)))
	witness("delete a vault", func() (armkeyvault.VaultsClientDeleteResponse, error) {
		return vaults.Delete(ctx, group, vaultName, nil)
	})
	witness("list deleted vaults", all(vaults.NewListDeletedPager(nil)))
	witness("purge a vault", func() (armkeyvault.VaultsClientPurgeDeletedResponse, error) {
		return done(vaults.BeginPurgeDeleted(ctx, vaultName, *location, nil))
	})
	witness("delete the resource group", func() (armresources.ResourceGroupsClientDeleteResponse, error) {
		return done(groups.BeginDelete(ctx, group, nil))
	})
	if failed {
		os.Exit(1)
	}
}
