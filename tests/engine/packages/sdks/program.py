"""A program with two components, which prints what it registers."""

import json

import pulumi
import pulumi_aks_workload_identity as components


class Recorder(pulumi.runtime.Mocks):
    def call(self, args):
        return {}

    def new_resource(self, args):
        print(args.typ, json.dumps(args.inputs, sort_keys=True, separators=(",", ":")))
        return ["", {"principalId": "principal"}]


@pulumi.runtime.test
def deploy():
    identity = components.ManagedIdentity("reports", create={"resource_group_name": "rg-reports"})
    components.RoleGrants(
        "reports",
        principal_id=identity.principal_id,
        roles=[components.RoleGrantArgs(role="role", scope="scope")],
    )


pulumi.runtime.set_mocks(Recorder())
deploy()
