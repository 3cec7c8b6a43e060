package main

import (
	"fmt"
	"math/rand"
	"time"

	"github.com/benbjohnson/clock"
	"github.com/go-logr/logr"
	"golang.org/x/time/rate"
	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/client-go/util/workqueue"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/Azure/azure-service-operator/v2/cmd/localcloud/controllers"
	"github.com/Azure/azure-service-operator/v2/internal/config"
	"github.com/Azure/azure-service-operator/v2/internal/crdmanagement"
	"github.com/Azure/azure-service-operator/v2/internal/genericarmclient"
	"github.com/Azure/azure-service-operator/v2/internal/identity"
	"github.com/Azure/azure-service-operator/v2/internal/metrics"
	armreconciler "github.com/Azure/azure-service-operator/v2/internal/reconcilers/arm"
	"github.com/Azure/azure-service-operator/v2/internal/reconcilers/generic"
	"github.com/Azure/azure-service-operator/v2/internal/reconcilers/migration/crd"
	"github.com/Azure/azure-service-operator/v2/internal/util/cel"
	"github.com/Azure/azure-service-operator/v2/internal/util/interval"
	"github.com/Azure/azure-service-operator/v2/internal/util/kubeclient"
	"github.com/Azure/azure-service-operator/v2/internal/util/lockedrand"
	"github.com/Azure/azure-service-operator/v2/internal/util/to"
	"github.com/Azure/azure-service-operator/v2/pkg/genruntime/conditions"
)

// operator is what the controllers of all resources share.
type operator struct {
	clients     *controllers.ClientsProvider
	credentials identity.CredentialProvider
	conditions  *conditions.PositiveConditionBuilder
	expressions cel.ExpressionEvaluator
	options     generic.Options
	log         logr.Logger
}

func newOperator(settings config.Values, manager ctrl.Manager, log logr.Logger) (*operator, error) {
	armMetrics, celMetrics := metrics.NewARMClientMetrics(), metrics.NewCEL()
	metrics.RegisterMetrics(armMetrics, celMetrics)
	global, err := globalCredential(settings, log)
	if err != nil {
		return nil, fmt.Errorf("the operator's own credential: %w", err)
	}
	kube := kubeclient.NewClient(manager.GetClient())
	credentials := identity.NewCredentialProvider(global, kube, &identity.CredentialProviderOptions{
		TokenProvider:           tokenProvider{identity.DefaultTokenCredentialProvider()},
		Cloud:                   to.Ptr(settings.Cloud()),
		AllowMultiEnvManagement: settings.AllowMultiEnvManagement,
	})
	genericarmclient.AddToUserAgent(settings.UserAgentSuffix)
	expressions, err := cel.NewExpressionEvaluator(cel.Metrics(celMetrics), cel.Log(log))
	if err != nil {
		return nil, fmt.Errorf("expressions: %w", err)
	}
	// The webhooks check expressions with it.
	cel.RegisterEvaluator(expressions)
	return &operator{
		clients: &controllers.ClientsProvider{
			KubeClient:           kube,
			ARMConnectionFactory: armreconciler.NewARMClientCache(credentials, settings.Cloud(), nil, armMetrics).GetConnection,
		},
		credentials: credentials,
		conditions:  conditions.NewPositiveConditionBuilder(clock.New()),
		expressions: expressions,
		options:     controllerOptions(settings),
		log:         log,
	}, nil
}

// registerWatchers starts a controller for each resource whose definition is served.
func (o *operator) registerWatchers(
	definitions map[string]apiextensions.CustomResourceDefinition,
	manager ctrl.Manager,
	managesDefinitions bool,
) error {
	resources, err := controllers.GetKnownStorageTypes(manager, o.clients, o.credentials, o.conditions, o.expressions, o.options)
	if err != nil {
		return fmt.Errorf("storage types: %w", err)
	}
	served, err := crdmanagement.FilterStorageTypesByReadyCRDs(o.log, manager.GetScheme(), definitions, resources)
	if err != nil {
		return fmt.Errorf("storage types that are served: %w", err)
	}
	if err := generic.RegisterAll(manager, manager.GetFieldIndexer(), o.clients.KubeClient, o.conditions, served, o.options); err != nil {
		return fmt.Errorf("controllers: %w", err)
	}
	if !managesDefinitions {
		return nil
	}
	deprecated := crdmanagement.GetAllDeprecatedStorageVersions(definitions)
	migration := crd.NewReconciler(o.clients.KubeClient, manager.GetCache(), deprecated, crd.Options{})
	if err := migration.SetupWithManager(manager); err != nil {
		return fmt.Errorf("migration of definitions: %w", err)
	}
	return nil
}

// controllerOptions: upstream's intervals.
func controllerOptions(settings config.Values) generic.Options {
	var limiters []workqueue.TypedRateLimiter[reconcile.Request]
	if settings.RateLimit.Mode == config.RateLimitModeBucket {
		limiters = append(limiters, &workqueue.TypedBucketRateLimiter[reconcile.Request]{
			Limiter: rate.NewLimiter(rate.Limit(settings.RateLimit.QPS), settings.RateLimit.BucketSize),
		})
	}
	verySlow := config.DefaultSyncInterval
	if settings.SyncPeriod != nil {
		verySlow = *settings.SyncPeriod
	}
	return generic.Options{
		Config: settings,
		Options: controller.Options{
			MaxConcurrentReconciles: settings.MaxConcurrentReconciles,
			RateLimiter:             generic.NewRateLimiter(1*time.Second, 1*time.Minute, limiters...),
		},
		PanicHandler: func() {},
		RequeueIntervalCalculator: interval.NewCalculator(interval.CalculatorParameters{
			//nolint:gosec // spreads retries, keeps no secret
			Rand:               rand.New(lockedrand.NewSource(time.Now().UnixNano())),
			ErrorBaseDelay:     1 * time.Second,
			ErrorMaxFastDelay:  30 * time.Second,
			ErrorMaxSlowDelay:  3 * time.Minute,
			ErrorVerySlowDelay: verySlow,
			SyncPeriod:         settings.SyncPeriod,
		}),
	}
}
