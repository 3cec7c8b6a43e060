package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azidentity"
	"github.com/go-logr/logr"

	"github.com/Azure/azure-service-operator/v2/internal/config"
	"github.com/Azure/azure-service-operator/v2/internal/identity"
	common "github.com/Azure/azure-service-operator/v2/pkg/common/config"
)

// tokenProvider reads the federated token where the pod's volume really is.
type tokenProvider struct {
	identity.TokenCredentialProvider
}

func (t tokenProvider) NewWorkloadIdentityCredential(
	options *azidentity.WorkloadIdentityCredentialOptions,
) (*azidentity.WorkloadIdentityCredential, error) {
	if file := os.Getenv("AZURE_FEDERATED_TOKEN_FILE"); file != "" {
		moved := *options
		moved.TokenFilePath = file
		options = &moved
	}
	return t.TokenCredentialProvider.NewWorkloadIdentityCredential(options)
}

// globalCredential is the credential of resources that name none, in upstream's order. The one order of upstream's
// that is left out is a file of Microsoft's own services.
func globalCredential(settings config.Values, log logr.Logger) (*identity.Credential, error) {
	if settings.SubscriptionID == "" {
		log.Info("no global credential: each resource or namespace needs its own")
		return nil, nil
	}
	if os.Getenv(common.AzureUserAssignedIdentityCredentials) != "" {
		return nil, fmt.Errorf("%s is not supported by the local cloud", common.AzureUserAssignedIdentityCredentials)
	}
	credential, err := tokenCredential(settings)
	if err != nil {
		return nil, err
	}
	return identity.NewDefaultCredential(credential, settings.PodNamespace, settings.SubscriptionID, settings.AdditionalTenants), nil
}

func tokenCredential(settings config.Values) (azcore.TokenCredential, error) {
	client := azcore.ClientOptions{Cloud: settings.Cloud()}
	if settings.UseWorkloadIdentityAuth {
		return tokenProvider{identity.DefaultTokenCredentialProvider()}.NewWorkloadIdentityCredential(
			&azidentity.WorkloadIdentityCredentialOptions{
				ClientOptions:              client,
				ClientID:                   settings.ClientID,
				TenantID:                   settings.TenantID,
				TokenFilePath:              identity.FederatedTokenFilePath,
				AdditionallyAllowedTenants: settings.AdditionalTenants,
			},
		)
	}
	if certificate := os.Getenv(common.AzureClientCertificate); certificate != "" {
		return identity.NewClientCertificateCredential(
			settings.TenantID,
			settings.ClientID,
			[]byte(certificate),
			[]byte(os.Getenv(common.AzureClientCertificatePassword)),
			&azidentity.ClientCertificateCredentialOptions{
				ClientOptions:              client,
				AdditionallyAllowedTenants: settings.AdditionalTenants,
			},
		)
	}
	return chain(settings, client)
}

// chain: the environment's secret, then the managed identity of the machine.
func chain(settings config.Values, client azcore.ClientOptions) (azcore.TokenCredential, error) {
	var sources []azcore.TokenCredential
	environment, environmentError := azidentity.NewEnvironmentCredential(&azidentity.EnvironmentCredentialOptions{ClientOptions: client})
	if environmentError == nil {
		sources = append(sources, environment)
	}
	options := &azidentity.ManagedIdentityCredentialOptions{ClientOptions: client}
	if settings.ClientID != "" {
		options.ID = azidentity.ClientID(settings.ClientID)
	}
	managed, managedError := azidentity.NewManagedIdentityCredential(options)
	if managedError == nil {
		sources = append(sources, managed)
	}
	if len(sources) == 0 {
		return nil, fmt.Errorf("neither the environment nor a managed identity is a credential: %w", errors.Join(environmentError, managedError))
	}
	return azidentity.NewChainedTokenCredential(sources, nil)
}
