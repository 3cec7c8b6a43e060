// The charts that the local cloud installs, each in the Go module of its vendor.
module localcloud/toolchain/charts

go 1.26.4

require (
	github.com/Azure/aad-pod-identity v1.8.17
	github.com/Azure/azure-service-operator/v2 v2.20.0
	github.com/Azure/azure-workload-identity v1.6.0
	github.com/cert-manager/cert-manager v1.21.2
	sigs.k8s.io/jobset v0.12.0
	sigs.k8s.io/secrets-store-csi-driver v1.6.1
)
