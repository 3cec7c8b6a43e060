#!/bin/sh
# Installs the newest Azure CLI and SDKs for Python and Go, each into an environment of its own in the ignored state folder,
# and runs them against the local cloud that `make up` started. Go decides by `import` which major version it takes. At the
# end, aad-pod-identity's own packet filter, which needs no cloud.
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

# Some are here for apiVersions.py alone.
environment sdk azure-identity azure-keyvault-keys azure-keyvault-secrets azure-mgmt-authorization azure-mgmt-compute \
  azure-mgmt-containerservice azure-mgmt-dns azure-mgmt-keyvault azure-mgmt-loganalytics azure-mgmt-monitor \
  azure-mgmt-msi azure-mgmt-network azure-mgmt-postgresqlflexibleservers azure-mgmt-redis azure-mgmt-resource \
  azure-mgmt-resource-locks azure-mgmt-servicebus azure-mgmt-storage
environment cli azure-cli
# program NAME [MODULE]: builds the program NAME in Go, with the module, which includes its version.
program() {
  rm -rf "$folder/$1"
  cp -R "tests/witnesses/$1" "$folder/$1"
  (cd "$folder/$1" && go mod init witness && { [ -z "${2-}" ] || go get "$2"; } && go mod tidy && go build -o "$1" .) \
    2>"$folder/$1.log" || { cat "$folder/$1.log" >&2; exit 1; }
}
program go
program packetFilter github.com/Azure/aad-pod-identity@v1.8.17

eval "$variables"
# The Azure CLI keeps tokens, also those of a local cloud that is gone.
rm -rf "$folder/azure"
export AZURE_CONFIG_DIR="$PWD/$folder/azure" AZURE_CORE_COLLECT_TELEMETRY=no
"$folder/sdk/bin/pip" list 2>/dev/null | grep '^azure-'
"$folder/sdk/bin/python" tests/witnesses/clients.py
PATH="$PWD/$folder/cli/bin:$PATH"
az version --query '"azure-cli"' --output tsv
sh tests/witnesses/azureCli.sh
go version -m "$folder/go/go" | awk '$2 ~ /azure-sdk-for-go/ { print $2, $3 }'
"$folder/go/go"
sh tests/witnesses/packetFilter.sh "$folder/packetFilter/packetFilter"
