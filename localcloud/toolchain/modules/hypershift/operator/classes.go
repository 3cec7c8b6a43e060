package main

import (
	hyperv1 "github.com/openshift/hypershift/api/hypershift/v1beta1"

	"localcloud/toolchain/hypershift/support/azureutil"
	"localcloud/toolchain/hypershift/support/capabilities"
	"localcloud/toolchain/hypershift/support/config"
)

// class is a SecretProviderClass of a hosted control plane.
type class struct {
	name     string
	identity hyperv1.ManagedIdentity
}

// classesOf names the classes that HyperShift makes for a hosted control plane: none unless it is installed for ARO. Of the
// control plane operator, Cluster API and KMS they come from
// hypershift-operator/controllers/hostedcluster/hostedcluster_controller.go, the others from the components of
// control-plane-operator/controllers/hostedcontrolplane/v2.
func classesOf(hcp *hyperv1.HostedControlPlane) []class {
	azure := hcp.Spec.Platform.Azure
	if !azureutil.IsAroHCP() || azure == nil || azure.AzureAuthenticationConfig.ManagedIdentities == nil {
		return nil
	}
	identities := azure.AzureAuthenticationConfig.ManagedIdentities.ControlPlane
	classes := []class{
		{config.ManagedAzureCPOSecretProviderClassName, identities.ControlPlaneOperator},
		{config.ManagedAzureNodePoolMgmtSecretProviderClassName, identities.NodePoolManagement},
		{config.ManagedAzureCloudProviderSecretProviderClassName, identities.CloudProvider},
		{config.ManagedAzureNetworkSecretStoreProviderClassName, identities.Network},
		{config.ManagedAzureDiskCSISecretStoreProviderClassName, identities.Disk},
		{config.ManagedAzureFileCSISecretStoreProviderClassName, identities.File},
	}
	if capabilities.IsIngressCapabilityEnabled(hcp.Spec.Capabilities) {
		classes = append(classes, class{config.ManagedAzureIngressSecretStoreProviderClassName, identities.Ingress})
	}
	if capabilities.IsImageRegistryCapabilityEnabled(hcp.Spec.Capabilities) {
		classes = append(classes,
			class{config.ManagedAzureImageRegistrySecretStoreProviderClassName, identities.ImageRegistry})
	}
	if encryption := hcp.Spec.SecretEncryption; encryption != nil && encryption.KMS != nil && encryption.KMS.Azure != nil {
		classes = append(classes, class{config.ManagedAzureKMSSecretProviderClassName, encryption.KMS.Azure.KMS})
	}
	return classes
}
