#!/bin/sh
# Installs the newest Azure CLI and SDKs for Python, each into an environment of its own in the ignored state folder, and
# runs them against the local cloud that `make up` started.
set -eu
cd "$(dirname "$0")/../.."
folder=.state/witnesses
variables=$(npx aks-wi cloud env)

# environment NAME PACKAGE...
environment() {
  name=$1
  shift
  [ -d "$folder/$name" ] || python3 -m venv "$folder/$name"
  "$folder/$name/bin/pip" install --quiet --upgrade "$@"
}

environment sdk azure-identity azure-keyvault-secrets azure-mgmt-authorization azure-mgmt-containerservice \
  azure-mgmt-keyvault azure-mgmt-loganalytics azure-mgmt-msi azure-mgmt-network \
  azure-mgmt-postgresqlflexibleservers azure-mgmt-resource azure-mgmt-resource-locks azure-mgmt-storage
environment cli azure-cli

eval "$variables"
export AZURE_CONFIG_DIR="$PWD/$folder/azure" AZURE_CORE_COLLECT_TELEMETRY=no
"$folder/sdk/bin/pip" list 2>/dev/null | grep '^azure-'
"$folder/sdk/bin/python" tests/witnesses/clients.py
PATH="$PWD/$folder/cli/bin:$PATH"
az version --query '"azure-cli"' --output tsv
sh tests/witnesses/azureCli.sh
