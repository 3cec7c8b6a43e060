package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"
	cliflag "k8s.io/component-base/cli/flag"
	logsapi "k8s.io/component-base/logs/api/v1"

	"github.com/cert-manager/cert-manager/pkg/controller"
	logf "github.com/cert-manager/cert-manager/pkg/logs"
)

// leaderElection holds the flags that the controller shares with upstream. It is off unless asked for: the
// local cloud runs one process of a kind, and a killed leader's lease would keep its successor waiting for a minute.
type leaderElection struct {
	enabled                                   bool
	namespace                                 string
	leaseDuration, renewDeadline, retryPeriod time.Duration
}

func (l *leaderElection) addFlags(flags *pflag.FlagSet) {
	flags.BoolVar(&l.enabled, "leader-elect", false, "Elect a leader between several instances")
	flags.StringVar(&l.namespace, "leader-election-namespace", "kube-system", "Namespace of the lease")
	flags.DurationVar(&l.leaseDuration, "leader-election-lease-duration", 60*time.Second, "Life of an unrenewed lease")
	flags.DurationVar(&l.renewDeadline, "leader-election-renew-deadline", 40*time.Second, "Time within which the leader must renew")
	flags.DurationVar(&l.retryPeriod, "leader-election-retry-period", 15*time.Second, "Pause between attempts")
}

type controllerOptions struct {
	context                            controller.ContextOptions
	election                           leaderElection
	logging                            *logsapi.LoggingConfiguration
	gates                              map[string]bool
	controllers                        []string
	workers                            int
	metricsAddress, healthzAddress     string
	recursiveNameservers, solverLabels []string
	solverRuntimeClass, configFile     string
	recursiveNameserversOnly           bool
	healthzTimeout                     time.Duration
}

func newControllerOptions(flags *pflag.FlagSet) *controllerOptions {
	o := &controllerOptions{logging: logsapi.NewLoggingConfiguration()}
	o.election.addFlags(flags)
	logf.AddFlags(o.logging, flags)

	c := &o.context
	addKubeconfigFlag(flags, &c.Kubeconfig)
	flags.StringVar(&c.Namespace, "namespace", "", "Watch this namespace only; empty: all")
	flags.StringVar(&c.ClusterResourceNamespace, "cluster-resource-namespace", "kube-system", "Namespace of the secrets of ClusterIssuers")
	flags.Float32Var(&c.KubernetesAPIQPS, "kube-api-qps", 20, "Requests a second, where the API server has no priority and fairness")
	flags.IntVar(&c.KubernetesAPIBurst, "kube-api-burst", 50, "Burst of requests, where the API server has no priority and fairness")
	flags.BoolVar(&c.ClusterIssuerAmbientCredentials, "cluster-issuer-ambient-credentials", true, "ClusterIssuers may use ambient credentials")
	flags.BoolVar(&c.IssuerAmbientCredentials, "issuer-ambient-credentials", false, "Issuers may use ambient credentials")
	flags.BoolVar(&c.EnableOwnerRef, "enable-certificate-owner-ref", false, "Certificates own their secrets")
	flags.StringSliceVar(&c.CopiedAnnotationPrefixes, "copied-annotation-prefixes",
		[]string{"*", "-kubectl.kubernetes.io/", "-fluxcd.io/", "-argocd.argoproj.io/"}, "Annotations copied from Certificate to CertificateRequest")
	flags.DurationVar(&c.CertificateRequestMinimumBackoffDuration, "certificate-request-minimum-backoff-duration", time.Hour, "First pause after a failed request")
	flags.DurationVar(&c.CertificateRequestMaximumBackoffDuration, "certificate-request-maximum-backoff-duration", 32*time.Hour, "Longest pause after failed requests")
	flags.StringVar(&c.DefaultIssuerName, "default-issuer-name", "", "Issuer of annotated ingresses")
	flags.StringVar(&c.DefaultIssuerKind, "default-issuer-kind", "Issuer", "Kind of that issuer")
	flags.StringVar(&c.DefaultIssuerGroup, "default-issuer-group", "cert-manager.io", "Group of that issuer")
	flags.StringSliceVar(&c.DefaultAutoCertificateAnnotations, "auto-certificate-annotations", []string{"kubernetes.io/tls-acme"}, "Annotations that ask for a certificate")
	flags.StringSliceVar(&c.ExtraCertificateAnnotations, "extra-certificate-annotations", nil, "Annotations copied from ingress to Certificate")

	flags.StringSliceVar(&o.controllers, "controllers", []string{"*"}, "Controllers to run: *, NAME or -NAME")
	flags.IntVar(&o.workers, "concurrent-workers", 5, "Workers of each controller")
	flags.StringVar(&o.metricsAddress, "metrics-listen-address", "0.0.0.0:9402", "Address of the metrics; 0: none")
	flags.StringVar(&o.healthzAddress, "internal-healthz-listen-address", "0.0.0.0:9403", "Address of /livez")
	flags.DurationVar(&o.healthzTimeout, "internal-healthz-leader-election-timeout", 20*time.Second, "Age of an expired lease at which /livez fails")
	flags.Var(cliflag.NewMapStringBool(&o.gates), "feature-gates", "NAME=true|false,…")

	// The chart may pass these. They configure issuers (ACME) that this binary does not carry: accepted, without effect.
	flags.StringVar(&c.HTTP01SolverImage, "acme-http01-solver-image", "", "Without effect: no ACME issuer")
	flags.StringVar(&o.solverRuntimeClass, "acme-http01-solver-runtime-class-name", "", "Without effect: no ACME issuer")
	flags.StringSliceVar(&o.solverLabels, "acme-http01-solver-extra-labels", nil, "Without effect: no ACME issuer")
	flags.StringSliceVar(&o.recursiveNameservers, "dns01-recursive-nameservers", nil, "Without effect: no ACME issuer")
	flags.BoolVar(&o.recursiveNameserversOnly, "dns01-recursive-nameservers-only", false, "Without effect: no ACME issuer")
	flags.IntVar(&c.MaxConcurrentChallenges, "max-concurrent-challenges", 60, "Without effect: no ACME issuer")
	flags.StringVar(&o.configFile, "config", "", "Refused: pass flags")
	return o
}

func (o *controllerOptions) validate() error {
	if o.configFile != "" {
		return fmt.Errorf("--config=%s: a configuration file names controllers that this binary does not carry; pass the settings as flags (chart: extraArgs)", o.configFile)
	}
	if o.workers < 1 {
		return fmt.Errorf("--concurrent-workers=%d: must be 1 or more", o.workers)
	}
	_, err := o.enabled()
	return err
}

// enabled is the sorted list of controllers to run. A name that is not linked in is an error, whether asked for
// or excluded, so that a misspelt exclusion does not go unnoticed.
func (o *controllerOptions) enabled() ([]string, error) {
	known := make([]string, 0, len(controller.Known()))
	for name := range controller.Known() {
		known = append(known, name)
	}
	slices.Sort(known)
	enabled := map[string]bool{}
	for _, item := range o.controllers {
		name, excluded := strings.CutPrefix(item, "-")
		switch {
		case item == "*":
			for _, name := range known {
				if _, set := enabled[name]; !set {
					enabled[name] = true
				}
			}
		case !slices.Contains(known, name):
			return nil, fmt.Errorf("--controllers: %q is not carried by this binary; allowed: *, %s", item, strings.Join(known, ", "))
		default:
			enabled[name] = !excluded
		}
	}
	return slices.DeleteFunc(known, func(name string) bool { return !enabled[name] }), nil
}
