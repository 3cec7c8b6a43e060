"""Writes localcloud/azure/arm/publishedVersions.json: the api-versions of the types that the local cloud serves.

    python3 tests/witnesses/apiVersions.py CHECKOUT ENVIRONMENT...

CHECKOUT is a clone of Azure/bicep-types-az, which has the types of all specifications. Each ENVIRONMENT is a folder with
installed packages: those of `make witnesses` are `.state/witnesses/{cli,sdk}/lib/python3*/site-packages`. `published` has
what either has, and `sent` what the packages send to the types that the local cloud serves.
"""

import collections
import glob
import json
import os
import re
import subprocess
import sys

DATA = "localcloud/azure/arm/publishedVersions.json"
# The types whose versions are those of the other types of their providers.
TYPES = """Microsoft.Resources/resourceGroups Microsoft.ManagedIdentity/userAssignedIdentities Microsoft.KeyVault/vaults
    Microsoft.KeyVault/dataPlane Microsoft.Authorization/roleAssignments Microsoft.Authorization/roleDefinitions
    Microsoft.Authorization/locks Microsoft.OperationalInsights/workspaces Microsoft.Insights/diagnosticSettings
    microsoft.aadiam/diagnosticSettings Microsoft.Network/privateEndpoints Microsoft.Network/virtualNetworks
    Microsoft.Network/dnsZones Microsoft.Storage/storageAccounts Microsoft.DBforPostgreSQL/flexibleServers
    Microsoft.DBforPostgreSQL/flexibleServers/databases Microsoft.Cache/redis Microsoft.ServiceBus/namespaces
    Microsoft.Compute/virtualMachineScaleSets Microsoft.ContainerService/managedClusters""".split()
VAULT = "microsoft.keyvault/dataplane"
DATE = r"\d{4}-\d\d-\d\d(?:-preview)?"
# Specifications of other resources in the namespace of networks.
OTHERS = "generated/dnsresolver/"
# What neither source has.
MORE = {
    # Azure/azure-rest-api-specs of November 2026.
    "Microsoft.ManagedIdentity/userAssignedIdentities": ["2026-04-30", "2026-05-31"],
    "Microsoft.KeyVault/vaults": ["2026-06-01-preview"],
    "Microsoft.KeyVault/dataPlane": """7.0-preview 7.1-preview 7.2-preview 7.3-preview 7.4-preview.1 7.5-preview.1
        7.6-preview.1 7.6-preview.2 2025-06-01-preview""".split(),
    "Microsoft.ContainerService/managedClusters": ["2026-07-01"],
    "Microsoft.Storage/storageAccounts": ["2026-06-01"],
    "Microsoft.DBforPostgreSQL/flexibleServers": ["2026-07-01-preview"],
    # Azure/azure-sdk-for-java #28334: Azure names them in its errors.
    "Microsoft.Authorization/roleAssignments": """2014-04-01-preview 2014-07-01-preview 2014-10-01-preview
        2015-05-01-preview 2015-06-01 2016-07-01 2017-05-01 2017-09-01 2018-07-01 2018-12-01-preview 2019-04-01-preview
        2021-04-01-preview 2022-01-01-preview""".split(),
    "Microsoft.Authorization/roleDefinitions": """2014-04-01-preview 2014-07-01-preview 2014-10-01-preview
        2015-05-01-preview 2015-06-01 2016-07-01 2017-05-01 2017-09-01 2018-07-01""".split(),
}
# Requests for a name of other resources: single servers, and clusters.
NOT_SERVED = {("microsoft.dbforpostgresql/checknameavailability", version) for version in ("2017-12-01", "2022-11-08")}


def specified(checkout):
    """Versions by type, in lower case, in a clone of Azure/bicep-types-az, and its commit."""
    def git(*arguments):
        return subprocess.run(["git", "-C", checkout, *arguments], check=True, capture_output=True, text=True).stdout

    found = collections.defaultdict(set)
    # Some snapshots lack large files, so git does not read them all.
    for path in git("ls-tree", "-r", "--name-only", "HEAD", "generated").splitlines():
        if not path.endswith("/types.md") or path.startswith(OTHERS) or path.split("/")[-3] not in NAMESPACES:
            continue
        for name, version in re.findall(r"^## Resource ([\w./-]+)@([\w-]+)", git("show", f"HEAD:{path}"), re.M):
            found[name.lower()].add(version.lower())
    return found, git("log", "-1", "--format=%H of %cs").strip()


def type_of(path):
    """Resource type of a path with parameters, in lower case."""
    before, _, after = path.lower().rpartition("/providers/")
    names = [part for part in after.strip("/").split("/") if not part.startswith("{")]
    return "/".join(names if before or path.lower().startswith("/providers/") else ["microsoft.resources", *names[-1:]])


def default_of(folder, root):
    """The version in the nearest configuration of a client."""
    while folder.startswith(root):
        configuration = os.path.join(folder, "_configuration.py")
        if os.path.exists(configuration):
            named = re.search(rf'api_version\b[^"\n]*(?:"api_version", )?"({DATE})"', open(configuration).read())
            return named and named[1]
        folder = os.path.dirname(folder)
    return None


def packages(root):
    """(type, version) of every operation in the packages of a folder."""
    # Of packages with clients of several versions, the Azure CLI takes those of its profile.
    shared = os.path.join(root, "azure/cli/core/profiles/_shared.py")
    latest = open(shared).read().split("'latest': {")[1].split("\n    }\n")[0] if os.path.exists(shared) else None
    for file in glob.glob(os.path.join(root, "azure/**/*.py"), recursive=True):
        folder_version = re.search(r"/v(\d{4}_\d\d_\d\d(?:_preview)?)/", file)
        profiled = latest is None or folder_version is None or folder_version[1].replace("_", "-") in latest
        if "/aio/" in file or not profiled or ("/aaz/" in file and "/aaz/latest/" not in file):
            continue
        text = open(file, errors="replace").read()
        for path, version in re.findall(r'\["mgmt-plane", "([^"]+)", "([^"]+)"', text):
            yield type_of(path), version.lower()
        if "/keyvault/" in file:
            for version in re.findall(rf'^\s+V\w+ = "({DATE}|7\.\d(?:-preview(?:\.\d)?)?)"', text, re.M):
                yield VAULT, version
        for request in re.split(r"\ndef build_", text)[1:] if '"/' in text else []:
            own = re.search(rf'_params\.pop\("api-version", "({DATE})"', request)
            version = own[1] if own else default_of(os.path.dirname(file), root)
            url = re.search(r'_url = (?:kwargs\.pop\(\s*"template_url",\s*)?\(?\s*((?:"[^"]*"\s*(?:#.*)?\s*)+)', request)
            if url and version:
                yield type_of("".join(re.findall(r'"([^"]*)"', url[1]))), version


def versions_of(root):
    names = [os.path.basename(path) for path in glob.glob(os.path.join(root, "azure*.dist-info"))]
    wanted = re.compile(
        r"(azure_(?:cli|keyvault_(?:keys|secrets)|mgmt_(?:authorization|compute|containerservice|dns|keyvault|loganalytics"
        r"|monitor|msi|network|postgresqlflexibleservers|redis|resource\w*|servicebus|storage)))-(.*)\.dist-info"
    )
    return [f"{found[1].replace('_', '-')} {found[2]}" for found in map(wanted.fullmatch, sorted(names)) if found]


checkout, *environments = sys.argv[1:]
with open("localcloud/azure/arm/servedVersions.json") as file:
    served = {name.lower(): name for name in [*TYPES, *json.load(file)]}
NAMESPACES = {name.split("/")[0] for name in served}
published, commit = specified(checkout)
sent = collections.defaultdict(set)
for environment in environments:
    for name, version in packages(environment.rstrip("/")):
        if name in served and (name, version) not in NOT_SERVED:
            sent[served[name]].add(version)
for name in TYPES:
    published[name.lower()] |= {*MORE.get(name, []), *sent[name]}
data = {
    "sources": [f"Azure/bicep-types-az {commit}"]
    + sorted({each for environment in environments for each in versions_of(environment)}),
    "published": {name: sorted(published[name.lower()]) for name in TYPES},
    "sent": {name: sorted(sent[name]) for name in sorted(sent) if sent[name]},
}
with open(DATA, "w") as file:
    json.dump(data, file, indent=2)
    file.write("\n")
