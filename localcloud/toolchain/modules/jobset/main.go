// Command jobset is JobSet's controller and webhook as upstream's main.go starts them, with the addresses and the
// folder of the serving certificate as flags: upstream fixes the folder, and two clusters of a local cloud share one
// host. It takes the arguments that the released chart passes to the container.
package main

import (
	"crypto/tls"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"github.com/open-policy-agent/cert-controller/pkg/rotator"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apiserver/pkg/util/feature"
	kubernetesscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/clientcmd"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/healthz"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/webhook"

	configapi "sigs.k8s.io/jobset/api/config/v1alpha1"
	jobsetapi "sigs.k8s.io/jobset/api/jobset/v1alpha2"
	"sigs.k8s.io/jobset/pkg/config"
	"sigs.k8s.io/jobset/pkg/controllers"
	"sigs.k8s.io/jobset/pkg/metrics"
	"sigs.k8s.io/jobset/pkg/util/useragent"
	"sigs.k8s.io/jobset/pkg/webhooks"
)

// The names that upstream gives (pkg/util/cert/cert.go).
const (
	validatingConfiguration = "jobset-validating-webhook-configuration"
	mutatingConfiguration   = "jobset-mutating-webhook-configuration"
	authorityName           = "jobset-ca"
	authorityOwner          = "jobset"
)

type options struct {
	configFile, healthAddress, metricsAddress string
	webhookHost, certificateFolder            string
	webhookPort                               int
}

func main() {
	var o options
	flag.StringVar(&o.configFile, "config", "", "File with the configuration; empty: the default one")
	flag.StringVar(&o.healthAddress, "health-probe-bind-address", ":8081", "Address of /healthz and /readyz")
	flag.StringVar(&o.metricsAddress, "metrics-bind-address", ":8443", "Address of the metrics; 0: none")
	flag.StringVar(&o.webhookHost, "webhook-host", "", "Address that the webhook listens on; empty: every interface")
	flag.IntVar(&o.webhookPort, "webhook-port", 9443, "Port that the webhook listens on")
	flag.StringVar(&o.certificateFolder, "webhook-cert-dir", "/tmp/k8s-webhook-server/serving-certs", "Folder of the serving certificate")
	logging := zap.Options{Development: true}
	logging.BindFlags(flag.CommandLine)
	flag.Parse()
	ctrl.SetLogger(zap.New(zap.UseFlagOptions(&logging)))
	if err := run(o); err != nil {
		fail(err)
	}
}

func fail(err error) {
	ctrl.Log.Error(err, "jobset ends")
	os.Exit(1)
}

func run(o options) error {
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{kubernetesscheme.AddToScheme, jobsetapi.AddToScheme, configapi.AddToScheme} {
		if err := add(scheme); err != nil {
			return err
		}
	}
	settings, configuration, err := config.Load(scheme, o.configFile)
	if err != nil {
		return fmt.Errorf("--config=%s: %w", o.configFile, err)
	}
	if err := feature.DefaultMutableFeatureGate.SetFromMap(configuration.FeatureGates); err != nil {
		return fmt.Errorf("feature gates: %w", err)
	}
	connection := clientcmd.NewNonInteractiveDeferredLoadingClientConfig(clientcmd.NewDefaultClientConfigLoadingRules(), nil)
	cluster, err := connection.ClientConfig()
	if err != nil {
		return fmt.Errorf("no connection to a cluster (set KUBECONFIG, or run inside a pod): %w", err)
	}
	cluster.UserAgent = useragent.Default()
	cluster.QPS, cluster.Burst = *configuration.ClientConnection.QPS, int(*configuration.ClientConnection.Burst)
	namespace, _, err := connection.Namespace()
	if err != nil {
		return err
	}

	metrics.Register()
	settings.LeaderElectionNamespace = namespace
	settings.HealthProbeBindAddress = o.healthAddress
	settings.Metrics = metricsserver.Options{BindAddress: o.metricsAddress}
	settings.WebhookServer = webhook.NewServer(webhook.Options{Host: o.webhookHost, Port: o.webhookPort, CertDir: o.certificateFolder})
	m, err := ctrl.NewManager(cluster, settings)
	if err != nil {
		return fmt.Errorf("manager: %w", err)
	}
	ready := make(chan struct{})
	if management := configuration.InternalCertManagement; management == nil || !*management.Enable {
		close(ready)
	} else if err := rotator.AddRotator(m, newRotator(management, namespace, o.certificateFolder, ready)); err != nil {
		return fmt.Errorf("certificate rotation: %w", err)
	}
	ctx := ctrl.SetupSignalHandler()
	if err := controllers.SetupJobSetIndexes(ctx, m.GetFieldIndexer()); err != nil {
		return err
	}
	if err := controllers.SetupPodIndexes(ctx, m.GetFieldIndexer()); err != nil {
		return err
	}
	certified := make(chan struct{})
	if err := addProbes(m, certified); err != nil {
		return err
	}
	go func() {
		<-ready
		waitForCertificate(o.certificateFolder)
		if err := addControllers(m); err != nil {
			fail(err)
		}
		close(certified)
	}()
	return m.Start(ctx)
}

func newRotator(management *configapi.InternalCertManagement, namespace, folder string, ready chan struct{}) *rotator.CertRotator {
	return &rotator.CertRotator{
		SecretKey:      types.NamespacedName{Namespace: namespace, Name: *management.WebhookSecretName},
		CertDir:        folder,
		CAName:         authorityName,
		CAOrganization: authorityOwner,
		DNSName:        fmt.Sprintf("%s.%s.svc", *management.WebhookServiceName, namespace),
		IsReady:        ready,
		Webhooks: []rotator.WebhookInfo{
			{Type: rotator.Validating, Name: validatingConfiguration},
			{Type: rotator.Mutating, Name: mutatingConfiguration},
		},
	}
}

// waitForCertificate: the chart's secret has empty files at first, which end upstream's program until the kubelet has
// written the certificate.
func waitForCertificate(folder string) {
	for {
		if _, err := tls.LoadX509KeyPair(filepath.Join(folder, "tls.crt"), filepath.Join(folder, "tls.key")); err == nil {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
}

func addControllers(m manager.Manager) error {
	jobSets := controllers.NewJobSetReconciler(m.GetClient(), m.GetScheme(), m.GetEventRecorder("jobset"))
	if err := jobSets.SetupWithManager(m); err != nil {
		return fmt.Errorf("controller of JobSets: %w", err)
	}
	pods := controllers.NewPodReconciler(m.GetClient(), m.GetScheme(), m.GetEventRecorder("pod"))
	if err := pods.SetupWithManager(m); err != nil {
		return fmt.Errorf("controller of pods: %w", err)
	}
	return webhooks.Setup(m)
}

// addProbes: asking the webhook server for its checker starts it, which must not happen before there is a certificate.
func addProbes(m manager.Manager, certified <-chan struct{}) error {
	if err := m.AddHealthzCheck("healthz", healthz.Ping); err != nil {
		return err
	}
	return m.AddReadyzCheck("readyz", func(request *http.Request) error {
		select {
		case <-certified:
			return m.GetWebhookServer().StartedChecker()(request)
		default:
			return errors.New("no serving certificate yet")
		}
	})
}
