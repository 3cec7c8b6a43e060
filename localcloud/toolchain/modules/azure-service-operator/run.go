package main

import (
	"context"
	"fmt"
	"time"

	"github.com/go-logr/logr"
	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/healthz"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/webhook"

	"github.com/Azure/azure-service-operator/v2/cmd/localcloud/app"
	"github.com/Azure/azure-service-operator/v2/cmd/localcloud/controllers"
	"github.com/Azure/azure-service-operator/v2/internal/config"
	"github.com/Azure/azure-service-operator/v2/internal/crdmanagement"
	"github.com/Azure/azure-service-operator/v2/internal/reconcilers/generic"
	"github.com/Azure/azure-service-operator/v2/internal/util/kubeclient"
	"github.com/Azure/azure-service-operator/v2/internal/util/to"
)

// run follows app.SetupControllerManager (cmd/controller/app/setup.go), which fixes what must differ here.
func run(ctx context.Context, log logr.Logger, flags *app.Flags) error {
	settings, err := config.ReadAndValidate()
	if err != nil {
		return fmt.Errorf("environment: %w", err)
	}
	cluster, err := ctrl.GetConfig()
	if err != nil {
		return fmt.Errorf("no connection to a cluster (set KUBECONFIG, or run inside a pod): %w", err)
	}
	options := managerOptions(settings, flags)
	manager, err := ctrl.NewManager(cluster, options)
	if err != nil {
		return fmt.Errorf("manager: %w", err)
	}
	operator, err := newOperator(settings, manager, ctrl.Log.WithName("controllers"))
	if err != nil {
		return err
	}
	definitions, err := manageDefinitions(ctx, log, settings, flags, cluster, manager, options)
	if err != nil {
		return err
	}
	if settings.OperatorMode.IncludesWatchers() {
		if err := operator.registerWatchers(definitions, manager, flags.CRDManagementMode == "auto"); err != nil {
			return err
		}
	}
	if settings.OperatorMode.IncludesWebhooks() {
		known, err := crdmanagement.FilterKnownTypesByReadyCRDs(operator.log, manager.GetScheme(), definitions, controllers.GetKnownTypes())
		if err != nil {
			return fmt.Errorf("types that are served: %w", err)
		}
		if err := generic.RegisterWebhooks(manager, known); err != nil {
			return fmt.Errorf("webhooks: %w", err)
		}
	}
	if err := manager.AddHealthzCheck("healthz", healthz.Ping); err != nil {
		return err
	}
	// Upstream says ready as soon as it lives. Here nobody is led to a webhook that does not listen yet.
	ready := healthz.Ping
	if settings.OperatorMode.IncludesWebhooks() {
		ready = manager.GetWebhookServer().StartedChecker()
	}
	if err := manager.AddReadyzCheck("readyz", ready); err != nil {
		return err
	}
	operator.expressions.Start()
	return manager.Start(ctx)
}

func managerOptions(settings config.Values, flags *app.Flags) ctrl.Options {
	scheme := controllers.CreateScheme()
	_ = apiextensions.AddToScheme(scheme)
	cached := cache.Options{ReaderFailOnMissingInformer: true}
	if settings.TargetNamespaces != nil && settings.OperatorMode.IncludesWatchers() {
		cached.DefaultNamespaces = make(map[string]cache.Config, len(settings.TargetNamespaces))
		for _, namespace := range settings.TargetNamespaces {
			cached.DefaultNamespaces[namespace] = cache.Config{}
		}
	}
	return ctrl.Options{
		Scheme: scheme,
		Cache:  cached,
		Client: client.Options{
			Cache: &client.CacheOptions{DisableFor: []client.Object{&apiextensions.CustomResourceDefinition{}}},
		},
		LeaderElection:                flags.EnableLeaderElection,
		LeaderElectionID:              "controllers-leader-election-azinfra-generated",
		LeaderElectionNamespace:       settings.PodNamespace,
		LeaderElectionReleaseOnCancel: flags.EnableLeaderElection,
		LeaseDuration:                 to.Ptr(15 * time.Second),
		RenewDeadline:                 to.Ptr(10 * time.Second),
		RetryPeriod:                   to.Ptr(2 * time.Second),
		GracefulShutdownTimeout:       to.Ptr(30 * time.Second),
		HealthProbeBindAddress:        flags.HealthAddr,
		Metrics:                       metricsserver.Options{BindAddress: "0"},
		WebhookServer: webhook.NewServer(webhook.Options{
			Host:    "127.0.0.1",
			Port:    flags.WebhookPort,
			CertDir: flags.WebhookCertDir,
		}),
	}
}

// manageDefinitions applies the custom resource definitions that the flags name, and ends the process with 0 if that
// changed any: the next start sees them. It gives those that were there when it began.
func manageDefinitions(
	ctx context.Context,
	log logr.Logger,
	settings config.Values,
	flags *app.Flags,
	cluster *rest.Config,
	manager ctrl.Manager,
	options ctrl.Options,
) (map[string]apiextensions.CustomResourceDefinition, error) {
	var elector *crdmanagement.LeaderElector
	var err error
	if flags.EnableLeaderElection {
		if elector, err = newLeaderElector(cluster, log, options, manager); err != nil {
			return nil, fmt.Errorf("leader election: %w", err)
		}
	}
	scheme := runtime.NewScheme()
	_ = apiextensions.AddToScheme(scheme)
	uncached, err := client.New(cluster, client.Options{Scheme: scheme})
	if err != nil {
		return nil, fmt.Errorf("client of definitions: %w", err)
	}
	definitions := crdmanagement.NewManager(log, kubeclient.NewClient(uncached), elector)
	existing := apiextensions.CustomResourceDefinitionList{}
	if err := definitions.ListCRDs(ctx, &existing); err != nil {
		return nil, err
	}
	switch flags.CRDManagementMode {
	case "none":
	case "auto":
		if !settings.OperatorMode.IncludesWebhooks() {
			break
		}
		if err := definitions.Install(ctx, crdmanagement.Options{
			CRDPatterns:  flags.CRDPatterns,
			ExistingCRDs: &existing,
			Path:         crdmanagement.CRDLocation,
			Namespace:    settings.PodNamespace,
		}); err != nil {
			return nil, fmt.Errorf("custom resource definitions for --crd-pattern=%s: %w", flags.CRDPatterns, err)
		}
	default:
		return nil, fmt.Errorf("--crd-management=%s: allowed are auto and none", flags.CRDManagementMode)
	}
	return crdmanagement.MakeCRDMap(existing.Items), nil
}
