// Command cert-manager is cert-manager's controller, webhook, CA injector and start-up check as one binary.
//
// Upstream's own commands (cmd/controller and so on) are Go modules that refer to their parent by a relative
// path, so no module proxy can serve them. This main wires the same packages of the released parent module.
// The module path lies below github.com/cert-manager/cert-manager because only that admits its internal/
// packages. Each subcommand takes the arguments that the released chart passes to the container.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	logsapi "k8s.io/component-base/logs/api/v1"
	ctrl "sigs.k8s.io/controller-runtime"

	"github.com/cert-manager/cert-manager/internal/kube"
	logf "github.com/cert-manager/cert-manager/pkg/logs"
	utilfeature "github.com/cert-manager/cert-manager/pkg/util/feature"

	"k8s.io/client-go/rest"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	logf.InitLogs()
	defer logf.FlushLogs()

	root := &cobra.Command{
		Use:           "cert-manager",
		Short:         "cert-manager's components in one binary",
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	root.AddCommand(controllerCommand(), webhookCommand(), cainjectorCommand(), startupAPICheckCommand())

	if err := root.ExecuteContext(ctx); err != nil && !errors.Is(err, context.Canceled) {
		fmt.Fprintf(os.Stderr, "cert-manager: %v\n", err)
		logf.FlushLogs()
		os.Exit(1)
	}
}

// addKubeconfigFlag defaults to $KUBECONFIG; empty means the service account that the pod has mounted.
func addKubeconfigFlag(flags *pflag.FlagSet, target *string) {
	*target = kubeconfigFromEnvironment()
	flags.StringVar(target, "kubeconfig", *target, "Path of a kubeconfig; empty: in-cluster configuration")
}

func restConfig(kubeconfig string) (*rest.Config, error) {
	config, err := kube.BuildClientConfig("", kubeconfig)
	if err != nil {
		return nil, fmt.Errorf("no connection to a cluster (set --kubeconfig or KUBECONFIG, or run inside a pod): %w", err)
	}
	// As controller-runtime does for the vendor's programs: the API server's priority and fairness limit instead.
	config.QPS = -1
	return config, nil
}

// prepare applies what every component does before it starts: feature gates, then log settings.
func prepare(ctx context.Context, component string, logging *logsapi.LoggingConfiguration, gates map[string]bool) (context.Context, error) {
	if err := utilfeature.DefaultMutableFeatureGate.SetFromMap(gates); err != nil {
		return nil, fmt.Errorf("--feature-gates: %w", err)
	}
	if err := logf.ValidateAndApply(logging); err != nil {
		return nil, fmt.Errorf("logging flags: %w", err)
	}
	ctx = logf.NewContext(ctx, logf.Log, component)
	ctrl.SetLogger(logf.FromContext(ctx))
	return ctx, nil
}

func kubeconfigFromEnvironment() string { return os.Getenv("KUBECONFIG") }
