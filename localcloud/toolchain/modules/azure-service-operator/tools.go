//go:build tools

package main

import _ "sigs.k8s.io/controller-tools/cmd/controller-gen"
