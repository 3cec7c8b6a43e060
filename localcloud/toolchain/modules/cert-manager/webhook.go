package main

import (
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"net/http"
	"strconv"

	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"
	"k8s.io/client-go/rest"
	cliflag "k8s.io/component-base/cli/flag"
	ctrl "sigs.k8s.io/controller-runtime"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/webhook"

	cmwebhook "github.com/cert-manager/cert-manager/internal/webhook"
	logf "github.com/cert-manager/cert-manager/pkg/logs"
	"github.com/cert-manager/cert-manager/pkg/webhook/admission"
	"github.com/cert-manager/cert-manager/pkg/webhook/options"
	"github.com/cert-manager/cert-manager/pkg/webhook/server"
)

func webhookCommand() *cobra.Command {
	command := &cobra.Command{
		Use:   "webhook",
		Short: "Validate and default cert-manager's resources",
		Args:  cobra.NoArgs,
	}
	config, err := options.NewWebhookConfiguration()
	if err != nil {
		panic(fmt.Sprintf("defaults of the webhook: %v", err))
	}
	flags := command.Flags()
	options.AddConfigFlags(flags, config)
	flags.Lookup("kubeconfig").DefValue = ""
	var host string
	flags.StringVar(&host, "bind-address", "", "Address to listen on, webhook and health alike; empty: every interface")

	command.RunE = func(command *cobra.Command, _ []string) error {
		ctx, err := prepare(command.Context(), "webhook", &config.Logging, config.FeatureGates)
		if err != nil {
			return err
		}
		if !flags.Changed("kubeconfig") {
			config.KubeConfig = kubeconfigFromEnvironment()
		}
		if config.EnableClientVerification || config.EnablePprof {
			return fmt.Errorf("--enable-client-verification and --enable-profiling are not supported by this binary")
		}
		built, err := cmwebhook.NewCertManagerWebhookServer(logf.FromContext(ctx), *config)
		if err != nil {
			return err
		}
		return runWebhook(ctx, built, host)
	}
	return command
}

// runWebhook serves what upstream's server.Run serves. That one listens on every interface, which a local
// cloud must not; the address is the reason that it is not used here.
func runWebhook(ctx context.Context, s *server.Server, host string) error {
	if s.CertificateSource == nil {
		return fmt.Errorf("no serving certificate: set --dynamic-serving-ca-secret-namespace, --dynamic-serving-ca-secret-name and --dynamic-serving-dns-names, or --tls-cert-file and --tls-private-key-file")
	}
	suites, err := cliflag.TLSCipherSuites(s.CipherSuites)
	if err != nil {
		return fmt.Errorf("--tls-cipher-suites: %w", err)
	}
	version, err := cliflag.TLSVersion(s.MinTLSVersion)
	if err != nil {
		return fmt.Errorf("--tls-min-version: %w", err)
	}
	if s.MetricsCertificateSource != nil {
		return fmt.Errorf("--metrics-tls-cert-file and --metrics-dynamic-serving-…: metrics are served without TLS by this binary")
	}
	hookServer := webhook.NewServer(webhook.Options{
		Host: host,
		Port: s.ListenAddr,
		TLSOpts: []func(*tls.Config){func(config *tls.Config) {
			config.CipherSuites, config.MinVersion = suites, version
			config.GetCertificate = s.CertificateSource.GetCertificate
		}},
	})
	// The manager only runs the servers; it never talks to the cluster.
	manager, err := ctrl.NewManager(&rest.Config{}, ctrl.Options{
		Scheme:        s.ResourceScheme,
		Logger:        logf.FromContext(ctx),
		Metrics:       metricsserver.Options{BindAddress: s.MetricsListenAddress},
		WebhookServer: hookServer,
	})
	if err != nil {
		return err
	}
	if err := manager.Add(s.CertificateSource); err != nil {
		return err
	}
	// Asking the manager for its server is what makes it start the server.
	hooks := manager.GetWebhookServer()
	hooks.Register("/mutate", admission.NewCustomMutationWebhook(s.MutationWebhook))
	hooks.Register("/validate", admission.NewCustomValidationWebhook(manager.GetScheme(), s.ValidationWebhook))

	group, ctx := errgroup.WithContext(ctx)
	listener, err := net.Listen("tcp", net.JoinHostPort(host, strconv.Itoa(*s.HealthzAddr)))
	if err != nil {
		return fmt.Errorf("--healthz-port: %w", err)
	}
	serveUntilDone(ctx, group, &http.Server{Handler: healthHandler(s)}, listener)
	group.Go(func() error { return manager.Start(ctx) })
	return group.Wait()
}

// healthHandler: alive while the process answers, ready while there is a certificate to serve with.
func healthHandler(s *server.Server) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("/livez", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusOK) })
	mux.HandleFunc("/healthz", func(w http.ResponseWriter, _ *http.Request) {
		if !s.CertificateSource.Healthy() {
			http.Error(w, "no serving certificate yet", http.StatusInternalServerError)
			return
		}
		w.WriteHeader(http.StatusOK)
	})
	return mux
}
