package main

import (
	"context"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	admissionv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"
	kubernetesscheme "k8s.io/client-go/kubernetes/scheme"
	cliflag "k8s.io/component-base/cli/flag"
	logsapi "k8s.io/component-base/logs/api/v1"
	apiregistrationv1 "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"

	cmscheme "github.com/cert-manager/cert-manager/pkg/client/clientset/versioned/scheme"
	"github.com/cert-manager/cert-manager/pkg/controller/cainjector"
	logf "github.com/cert-manager/cert-manager/pkg/logs"
	"github.com/cert-manager/cert-manager/pkg/util"
)

type cainjectorOptions struct {
	kubeconfig, namespace, metricsAddress   string
	election                                leaderElection
	logging                                 *logsapi.LoggingConfiguration
	gates                                   map[string]bool
	certificates                            bool
	validating, mutating, crds, apiServices bool
}

func newCAInjectorOptions(flags *pflag.FlagSet) *cainjectorOptions {
	o := &cainjectorOptions{logging: logsapi.NewLoggingConfiguration()}
	o.election.addFlags(flags)
	logf.AddFlags(o.logging, flags)
	addKubeconfigFlag(flags, &o.kubeconfig)
	flags.StringVar(&o.namespace, "namespace", "", "Watch this namespace only; empty: all")
	flags.StringVar(&o.metricsAddress, "metrics-listen-address", "0.0.0.0:9402", "Address of the metrics; 0: none")
	flags.BoolVar(&o.certificates, "enable-certificates-data-source", true, "Certificates may be sources of a CA")
	flags.BoolVar(&o.validating, "enable-validatingwebhookconfigurations-injectable", true, "Inject into these")
	flags.BoolVar(&o.mutating, "enable-mutatingwebhookconfigurations-injectable", true, "Inject into these")
	flags.BoolVar(&o.crds, "enable-customresourcedefinitions-injectable", true, "Inject into these")
	flags.BoolVar(&o.apiServices, "enable-apiservices-injectable", true, "Inject into these")
	flags.Var(cliflag.NewMapStringBool(&o.gates), "feature-gates", "NAME=true|false,…")
	return o
}

func cainjectorCommand() *cobra.Command {
	command := &cobra.Command{
		Use:   "cainjector",
		Short: "Inject CA bundles into webhook configurations, CRDs and API services",
		Args:  cobra.NoArgs,
	}
	options := newCAInjectorOptions(command.Flags())
	command.RunE = func(command *cobra.Command, _ []string) error {
		ctx, err := prepare(command.Context(), "cainjector", options.logging, options.gates)
		if err != nil {
			return err
		}
		return runCAInjector(ctx, options)
	}
	return command
}

func runCAInjector(ctx context.Context, options *cainjectorOptions) error {
	config, err := restConfig(options.kubeconfig)
	if err != nil {
		return err
	}
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{
		kubernetesscheme.AddToScheme, cmscheme.AddToScheme, apiextensionsv1.AddToScheme,
		apiregistrationv1.AddToScheme, admissionv1.AddToScheme,
	} {
		if err := add(scheme); err != nil {
			return err
		}
	}
	watched := cache.Options{}
	if options.namespace != "" {
		watched.DefaultNamespaces = map[string]cache.Config{options.namespace: {}}
	}
	election := options.election
	// The user agent's prefix is the field manager of what the injector applies; without it the API server refuses.
	manager, err := ctrl.NewManager(util.RestConfigWithUserAgent(config, "cainjector"), ctrl.Options{
		Scheme: scheme,
		Cache:  watched,
		// Secrets' contents are read from the API server: caching them would hold every secret in memory.
		Client:                        client.Options{Cache: &client.CacheOptions{DisableFor: []client.Object{&corev1.Secret{}}}},
		LeaderElection:                election.enabled,
		LeaderElectionNamespace:       election.namespace,
		LeaderElectionID:              "cert-manager-cainjector-leader-election",
		LeaderElectionReleaseOnCancel: true,
		LeaseDuration:                 &election.leaseDuration,
		RenewDeadline:                 &election.renewDeadline,
		RetryPeriod:                   &election.retryPeriod,
		Metrics:                       metricsserver.Options{BindAddress: options.metricsAddress},
	})
	if err != nil {
		return err
	}
	if err := cainjector.RegisterAllInjectors(ctx, manager, cainjector.SetupOptions{
		Namespace:                    options.namespace,
		EnableCertificatesDataSource: options.certificates,
		EnabledReconcilersFor: map[string]bool{
			cainjector.ValidatingWebhookConfigurationName: options.validating,
			cainjector.MutatingWebhookConfigurationName:   options.mutating,
			cainjector.CustomResourceDefinitionName:       options.crds,
			cainjector.APIServiceName:                     options.apiServices,
		},
	}); err != nil {
		return err
	}
	return manager.Start(ctx)
}
