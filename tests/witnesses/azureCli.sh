#!/bin/sh
# The newest Azure CLI, unpatched, against the local cloud of the shell's variables (`cloud env`). One line for each
# command; the exit code is 1 if one fails. What it makes is in a resource group of its own, deleted at the end.
set -u
group=rg-witness-cli
vault=kv-cli-$$
account=stcli$$
scope=/subscriptions/$AZURE_SUBSCRIPTION_ID/resourceGroups/$group
failed=0
errors=$(mktemp)

witness() {
  if az "$@" --only-show-errors --output none 2>"$errors"; then
    echo "ok    az $*" | cut -c1-120
  else
    failed=$((failed + 1))
    echo "FAIL  az $*: $(tr '\n' ' ' <"$errors" | cut -c1-300)"
  fi
}
value() { az "$@" --only-show-errors --output tsv; }

az login --service-principal --tenant "$AZURE_TENANT_ID" --username "$AZURE_CLIENT_ID" \
  --password "$AZURE_CLIENT_SECRET" --only-show-errors --output none || exit 1
own=$(value account get-access-token --query accessToken | cut -d. -f2 | tr '_-' '/+' |
  { read -r text; while [ $((${#text} % 4)) -ne 0 ]; do text="$text="; done; echo "$text"; } |
  base64 -d | sed 's/.*"oid":"\([^"]*\)".*/\1/')

witness account show
witness account list-locations
witness group create --name $group --location westeurope --tags a=b
witness group list --tag a=b
witness group update --name $group --set tags.c=d
witness identity create --resource-group $group --name id-witness
witness identity list --resource-group $group
witness identity show --resource-group $group --name id-witness
witness identity federated-credential create --resource-group $group --identity-name id-witness --name trust \
  --issuer https://issuer.example --subject a --audiences api://AzureADTokenExchange
witness identity federated-credential update --resource-group $group --identity-name id-witness --name trust \
  --issuer https://issuer.example --subject b --audiences api://AzureADTokenExchange
witness identity federated-credential list --resource-group $group --identity-name id-witness
witness identity federated-credential delete --resource-group $group --identity-name id-witness --name trust --yes
principal=$(value identity show --resource-group $group --name id-witness --query principalId)
witness role assignment create --assignee-object-id "$principal" --assignee-principal-type ServicePrincipal \
  --role Reader --scope "$scope"
witness role assignment list --scope "$scope"
witness role assignment delete --assignee "$principal" --scope "$scope"
witness role definition list --name Reader
application=$(value ad app create --display-name witness --query appId)
witness ad app show --id "$application"
witness ad sp create --id "$application"
witness ad sp show --id "$application"
witness ad sp update --id "$application" --set accountEnabled=true
witness ad sp list --filter "appId eq '$application' or displayName eq 'nobody'"
witness role assignment create --assignee "$application" --role Reader --scope "$scope"
witness role assignment list --assignee "$application" --scope "$scope"
[ -n "$(value role assignment list --assignee "$application" --scope "$scope" --query '[].id')" ] || {
  failed=$((failed + 1))
  echo "FAIL  az role assignment list --assignee: it does not list the assignment"
}
witness role assignment delete --assignee "$application" --scope "$scope"
witness keyvault create --resource-group $group --name "$vault-p" --enable-rbac-authorization false --no-self-perms
witness keyvault set-policy --name "$vault-p" --spn "$application" --secret-permissions get
witness keyvault delete-policy --name "$vault-p" --spn "$application"
witness keyvault delete --name "$vault-p"
witness keyvault purge --name "$vault-p"
witness ad sp delete --id "$application"
witness ad app delete --id "$application"
witness keyvault create --resource-group $group --name "$vault"
witness keyvault show --name "$vault"
witness keyvault list --resource-group $group
witness keyvault update --name "$vault" --set tags.a=b
witness role assignment create --assignee-object-id "$own" --assignee-principal-type ServicePrincipal \
  --role 'Key Vault Secrets Officer' --scope "$scope"
witness role assignment create --assignee-object-id "$own" --assignee-principal-type ServicePrincipal \
  --role 'Key Vault Crypto Officer' --scope "$scope"
witness keyvault key create --vault-name "$vault" --name key
witness keyvault key show --vault-name "$vault" --name key
witness keyvault secret set --vault-name "$vault" --name one --value hidden
witness keyvault secret show --vault-name "$vault" --name one
witness keyvault secret list --vault-name "$vault"
witness keyvault secret list-versions --vault-name "$vault" --name one
witness keyvault secret set-attributes --vault-name "$vault" --name one --tags a=b
witness keyvault secret delete --vault-name "$vault" --name one
witness keyvault secret list-deleted --vault-name "$vault"
witness keyvault secret recover --vault-name "$vault" --name one
witness resource list --tag a=b
witness resource list --resource-type Microsoft.KeyVault/vaults --name "$vault"
witness resource show --ids "$scope/providers/Microsoft.KeyVault/vaults/$vault"
witness monitor log-analytics workspace create --resource-group $group --name log-witness
witness monitor diagnostic-settings create --name audit --workspace log-witness --resource-group $group \
  --resource "$scope/providers/Microsoft.KeyVault/vaults/$vault" --logs '[{"category":"AuditEvent","enabled":true}]'
witness monitor diagnostic-settings list --resource "$scope/providers/Microsoft.KeyVault/vaults/$vault"
witness monitor activity-log list --resource-group $group --offset 1h
witness storage account create --resource-group $group --name "$account" --location westeurope --sku Standard_LRS
witness storage account show --resource-group $group --name "$account"
witness storage account keys list --resource-group $group --account-name "$account"
witness storage account update --resource-group $group --name "$account" --tags a=b
witness storage account check-name --name "$account"
witness postgres flexible-server list --resource-group $group
witness network nsg create --resource-group $group --name nsg-witness
witness network vnet create --resource-group $group --name vnet-witness --address-prefixes 10.0.0.0/16 \
  --subnet-name endpoints --subnet-prefixes 10.0.0.0/24
witness network vnet subnet create --resource-group $group --vnet-name vnet-witness --name nodes \
  --address-prefixes 10.0.1.0/24 --network-security-group nsg-witness
witness network private-endpoint create --resource-group $group --name pe-witness --vnet-name vnet-witness \
  --subnet endpoints --private-connection-resource-id "$scope/providers/Microsoft.KeyVault/vaults/$vault" \
  --group-id vault --connection-name vault
witness network private-endpoint list --resource-group $group
witness lock create --name witness --lock-type CanNotDelete --resource-group $group
witness lock list --resource-group $group
witness lock delete --name witness --resource-group $group
witness aks list
value aks list --query '[0].[resourceGroup, name]' | tr '\n' ' ' >"$errors.cluster"
read -r its_group cluster <"$errors.cluster" || true
if [ -n "$cluster" ]; then
  witness aks show --resource-group "$its_group" --name "$cluster"
  witness aks get-credentials --resource-group "$its_group" --name "$cluster" --admin --file "$errors.kubeconfig" --overwrite-existing
fi
witness provider show --namespace Microsoft.KeyVault
witness provider register --namespace Microsoft.KeyVault
witness keyvault delete --name "$vault"
witness keyvault list-deleted
witness keyvault purge --name "$vault"
witness group delete --name $group --yes
rm -f "$errors" "$errors".*
[ $failed -eq 0 ]
