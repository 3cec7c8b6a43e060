// A program with two components, which prints what it registers.
package main

import (
	"encoding/json"
	"fmt"
	"log"

	components "example.com/pulumi-aks-workload-identity/sdk/go/aksworkloadidentity"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

type recorder struct{}

func (recorder) Call(pulumi.MockCallArgs) (resource.PropertyMap, error) {
	return nil, nil
}

func (recorder) NewResource(args pulumi.MockResourceArgs) (string, resource.PropertyMap, error) {
	inputs, err := json.Marshal(args.Inputs.Mappable())
	fmt.Println(args.TypeToken, string(inputs))
	return "", resource.PropertyMap{"principalId": resource.NewProperty("principal")}, err
}

func deploy(ctx *pulumi.Context) error {
	identity, err := components.NewManagedIdentity(ctx, "reports", &components.ManagedIdentityArgs{
		Create: &components.NewManagedIdentityTypeArgs{ResourceGroupName: pulumi.String("rg-reports")},
	})
	if err != nil {
		return err
	}
	_, err = components.NewRoleGrants(ctx, "reports", &components.RoleGrantsArgs{
		PrincipalId: identity.PrincipalId,
		Roles:       []components.RoleGrantArgs{{Role: "role", Scope: "scope"}},
	})
	return err
}

func main() {
	if err := pulumi.RunErr(deploy, pulumi.WithMocks("reports", "test", recorder{})); err != nil {
		log.Fatal(err)
	}
}
