// Command workload-identity-webhook is the webhook of Azure Workload Identity as upstream's cmd/webhook starts
// it (same flags, same environment), with the address it listens on as a flag: upstream fixes port 9443 on every
// interface, and two clusters of a local cloud share one host.
package main

import (
	"crypto/tls"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/open-policy-agent/cert-controller/pkg/rotator"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	kubernetesscheme "k8s.io/client-go/kubernetes/scheme"
	"monis.app/mlog"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client/apiutil"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/webhook"

	"github.com/Azure/azure-workload-identity/pkg/metrics"
	"github.com/Azure/azure-workload-identity/pkg/util"
	"github.com/Azure/azure-workload-identity/pkg/version"
	azwi "github.com/Azure/azure-workload-identity/pkg/webhook"
)

// The names that the chart gives to its objects.
const (
	certificateSecret    = "azure-wi-webhook-server-cert"
	service              = "azure-wi-webhook-webhook-service"
	webhookConfiguration = "azure-wi-webhook-mutating-webhook-configuration"
	authorityName        = "azure-workload-identity-ca"
	authorityOwner       = "azure-workload-identity"
)

var tlsVersions = map[string]uint16{
	"1.0": tls.VersionTLS10, "1.1": tls.VersionTLS11, "1.2": tls.VersionTLS12, "1.3": tls.VersionTLS13,
}

type options struct {
	audience, certificateFolder, tlsMinVersion string
	healthAddress, metricsAddress              string
	metricsBackend, logLevel                   string
	rotationDisabled, printVersion             bool
	annotationSuffix, customAudience           string
	webhookHost                                string
	webhookPort                                int
}

func parseFlags() options {
	var o options
	flag.StringVar(&o.audience, "audience", "", "Audience of the projected token; empty: the default one")
	flag.StringVar(&o.certificateFolder, "webhook-cert-dir", "/certs", "Folder of the serving certificate")
	flag.BoolVar(&o.rotationDisabled, "disable-cert-rotation", false, "Neither make nor rotate the serving certificate")
	flag.StringVar(&o.tlsMinVersion, "tls-min-version", "1.3", "1.0, 1.1, 1.2 or 1.3")
	flag.StringVar(&o.healthAddress, "health-addr", ":9440", "Address of /healthz and /readyz")
	flag.StringVar(&o.metricsAddress, "metrics-addr", ":8095", "Address of the metrics; 0: none")
	flag.StringVar(&o.metricsBackend, "metrics-backend", "prometheus", "Exporter of the metrics")
	flag.StringVar(&o.logLevel, "log-level", "", "Empty, info, debug, trace or all")
	flag.BoolVar(&o.printVersion, "version", false, "Print the version and exit")
	flag.StringVar(&o.annotationSuffix, "custom-token-endpoint-annotation-suffix", "", "What follows azure.workload.identity/use-; empty: off")
	flag.StringVar(&o.customAudience, "custom-token-endpoint-audience", "", "Audience for that endpoint; empty: off")
	flag.StringVar(&o.webhookHost, "webhook-host", "", "Address that the webhook listens on; empty: every interface")
	flag.IntVar(&o.webhookPort, "webhook-port", 9443, "Port that the webhook listens on")
	flag.Parse()
	return o
}

func main() {
	if err := run(parseFlags()); err != nil {
		mlog.Fatal(fmt.Errorf("workload-identity-webhook: %w", err))
	}
}

func run(o options) error {
	defer mlog.Setup()()
	if o.printVersion {
		return version.PrintVersionToStdout()
	}
	tlsVersion, known := tlsVersions[o.tlsMinVersion]
	if !known {
		allowed := make([]string, 0, len(tlsVersions))
		for name := range tlsVersions {
			allowed = append(allowed, name)
		}
		slices.Sort(allowed)
		return fmt.Errorf("--tls-min-version=%s: allowed are %s", o.tlsMinVersion, strings.Join(allowed, ", "))
	}
	ctx := ctrl.SetupSignalHandler()
	if err := mlog.ValidateAndSetLogLevelAndFormatGlobally(ctx, mlog.LogSpec{
		Level: mlog.LogLevel(o.logLevel), Format: mlog.FormatJSON,
	}); err != nil {
		return fmt.Errorf("--log-level: %w", err)
	}
	log.SetLogger(mlog.Logr())

	config, err := ctrl.GetConfig()
	if err != nil {
		return fmt.Errorf("no connection to a cluster (set KUBECONFIG, or run inside a pod): %w", err)
	}
	config.UserAgent = version.GetUserAgent("webhook")
	// Measurements bind to the exporter that exists when they are created, so it comes first.
	if err := metrics.InitMetricsExporter(o.metricsBackend); err != nil {
		return fmt.Errorf("--metrics-backend=%s: %w", o.metricsBackend, err)
	}
	scheme := runtime.NewScheme()
	if err := kubernetesscheme.AddToScheme(scheme); err != nil {
		return err
	}
	m, err := ctrl.NewManager(config, ctrl.Options{
		Scheme:                 scheme,
		HealthProbeBindAddress: o.healthAddress,
		Metrics:                metricsserver.Options{BindAddress: o.metricsAddress},
		MapperProvider:         apiutil.NewDynamicRESTMapper,
		WebhookServer: webhook.NewServer(webhook.Options{
			Host:    o.webhookHost,
			Port:    o.webhookPort,
			CertDir: o.certificateFolder,
			TLSOpts: []func(*tls.Config){func(config *tls.Config) { config.MinVersion = tlsVersion }},
		}),
	})
	if err != nil {
		return fmt.Errorf("manager: %w", err)
	}
	certified := make(chan struct{})
	if o.rotationDisabled {
		close(certified)
	} else if err := rotator.AddRotator(m, newRotator(o.certificateFolder, certified)); err != nil {
		return fmt.Errorf("certificate rotation: %w", err)
	}
	if err := addProbes(m, certified); err != nil {
		return err
	}
	go serveWhenCertified(m, o, certified)
	return m.Start(ctx)
}

func newRotator(folder string, ready chan struct{}) *rotator.CertRotator {
	namespace := util.GetNamespace()
	return &rotator.CertRotator{
		SecretKey:      types.NamespacedName{Namespace: namespace, Name: certificateSecret},
		CertDir:        folder,
		CAName:         authorityName,
		CAOrganization: authorityOwner,
		DNSName:        fmt.Sprintf("%s.%s.svc", service, namespace),
		IsReady:        ready,
		Webhooks:       []rotator.WebhookInfo{{Name: webhookConfiguration, Type: rotator.Mutating}},
	}
}

// addProbes: asking the webhook server for its checker starts it, which must not happen before there is a
// certificate; and checks cannot be added once the manager runs.
func addProbes(m manager.Manager, certified <-chan struct{}) error {
	check := func(request *http.Request) error {
		select {
		case <-certified:
			return m.GetWebhookServer().StartedChecker()(request)
		default:
			return errors.New("no serving certificate yet")
		}
	}
	if err := m.AddHealthzCheck("healthz", check); err != nil {
		return err
	}
	return m.AddReadyzCheck("readyz", check)
}

func serveWhenCertified(m manager.Manager, o options, certified <-chan struct{}) {
	<-certified
	mutator, err := azwi.NewPodMutator(m.GetClient(), m.GetAPIReader(), o.audience, m.GetScheme(), m.GetConfig(), o.annotationSuffix, o.customAudience)
	if err != nil {
		mlog.Fatal(fmt.Errorf("workload-identity-webhook: pod mutator: %w", err))
	}
	m.GetWebhookServer().Register("/mutate-v1-pod", &webhook.Admission{Handler: mutator})
}
