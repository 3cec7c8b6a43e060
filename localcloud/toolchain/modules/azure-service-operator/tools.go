//go:build tools

package main

import (
	_ "sigs.k8s.io/controller-tools/cmd/controller-gen"

	// Compiled from copies (localcloud/toolchain/operatorSources.ts): what they need is pinned here.
	_ "github.com/Azure/azure-service-operator/v2/cmd/controller/app"
	_ "github.com/Azure/azure-service-operator/v2/internal/controllers"
)
