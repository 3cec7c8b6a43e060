package main

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/tools/clientcmd"
	logsapi "k8s.io/component-base/logs/api/v1"

	logf "github.com/cert-manager/cert-manager/pkg/logs"
	"github.com/cert-manager/cert-manager/pkg/util/cmapichecker"
)

// startupAPICheckCommand is `startupapicheck check api --wait=1m`, as the chart's post-install job calls it.
func startupAPICheckCommand() *cobra.Command {
	root := &cobra.Command{Use: "startupapicheck", Short: "Check that cert-manager's API works"}
	check := &cobra.Command{Use: "check", Short: "Check a part of cert-manager"}
	api := &cobra.Command{
		Use:   "api",
		Short: "Create requests as dry runs until both webhooks answer as they should",
		Args:  cobra.NoArgs,
	}
	var kubeconfig, namespace string
	var limit, interval time.Duration
	logging := logsapi.NewLoggingConfiguration()
	flags := api.Flags()
	addKubeconfigFlag(flags, &kubeconfig)
	logf.AddFlagsNonDeprecated(logging, flags)
	// The chart passes a bare -v.
	flags.Lookup("v").NoOptDefVal = "1"
	flags.StringVarP(&namespace, "namespace", "n", "", "Namespace of the requests; absent: that of the kubeconfig, or of the pod")
	flags.DurationVar(&limit, "wait", 0, "Time to keep trying; 0: one attempt")
	flags.DurationVar(&interval, "interval", time.Second, "Pause between attempts")

	api.RunE = func(command *cobra.Command, _ []string) error {
		ctx, err := prepare(command.Context(), "startupapicheck", logging, nil)
		if err != nil {
			return err
		}
		config, err := restConfig(kubeconfig)
		if err != nil {
			return err
		}
		if namespace == "" {
			// The chart's role allows the requests in its own namespace only.
			if namespace, err = currentNamespace(kubeconfig); err != nil {
				return err
			}
		}
		checker, err := cmapichecker.New(config, namespace)
		if err != nil {
			return err
		}
		return awaitAPI(ctx, checker, limit, interval)
	}
	check.AddCommand(api)
	root.AddCommand(check)
	return root
}

func currentNamespace(kubeconfig string) (string, error) {
	rules := clientcmd.NewDefaultClientConfigLoadingRules()
	rules.ExplicitPath = kubeconfig
	namespace, _, err := clientcmd.NewNonInteractiveDeferredLoadingClientConfig(rules, &clientcmd.ConfigOverrides{}).Namespace()
	return namespace, err
}

func awaitAPI(ctx context.Context, checker cmapichecker.Interface, limit, interval time.Duration) error {
	log := logf.FromContext(ctx)
	var last error
	attempt := func(ctx context.Context) (bool, error) {
		err := checker.Check(ctx)
		if err == nil {
			fmt.Println("The cert-manager API is ready")
			return true, nil
		}
		last = err
		if simple := cmapichecker.TranslateToSimpleError(err); simple != nil {
			last = simple
		}
		log.Info("not ready", "reason", last.Error(), "cause", err.Error())
		return false, nil
	}
	if limit <= 0 {
		ready, err := attempt(ctx)
		if err != nil || ready {
			return err
		}
		return last
	}
	if err := wait.PollUntilContextTimeout(ctx, interval, limit, true, attempt); err != nil {
		return fmt.Errorf("the cert-manager API was not ready within %s (--wait): %w", limit, last)
	}
	return nil
}
