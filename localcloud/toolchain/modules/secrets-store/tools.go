//go:build tools

package main

import _ "sigs.k8s.io/secrets-store-csi-driver/cmd/secrets-store-csi-driver"
