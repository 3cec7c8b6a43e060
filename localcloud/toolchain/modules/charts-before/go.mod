// Charts one minor version older than those of modules/charts, to upgrade from: a go.mod has one version of a module.
module localcloud/toolchain/charts-before

go 1.26.4

require (
	github.com/cert-manager/cert-manager v1.20.3
)
