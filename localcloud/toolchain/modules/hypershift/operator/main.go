// The part of HyperShift's operators that gives a hosted control plane its SecretProviderClasses: what makes a class, what
// it is called, and whom the vault is read as are HyperShift's own code (`copies` in tools.ts). The loop around it is this
// project's, since HyperShift's own reads images of OpenShift before it makes a class.
//
// It takes the flags of HyperShift's operator that its Deployment has, and ignores those that it has no use for.
package main

import (
	"fmt"
	"os"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/klog/v2/textlogger"
	ctrl "sigs.k8s.io/controller-runtime"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
	secretsstorev1 "sigs.k8s.io/secrets-store-csi-driver/apis/v1"

	hyperv1 "github.com/openshift/hypershift/api/hypershift/v1beta1"
)

func main() {
	ctrl.SetLogger(textlogger.NewLogger(textlogger.NewConfig()))
	if err := command(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// command runs a command of HyperShift's operator.
func command(args []string) error {
	if len(args) == 0 {
		return fmt.Errorf("give run or init")
	}
	switch args[0] {
	case "init":
		// HyperShift's copies the certificate authorities of an OpenShift cluster, which this is none of.
		return nil
	case "run":
		return run(flagsOf(args[1:]))
	default:
		return fmt.Errorf("unknown command %s: give run or init", args[0])
	}
}

// flagsOf reads flags of the form --name=value, as HyperShift writes them.
func flagsOf(args []string) map[string]string {
	flags := map[string]string{}
	for _, arg := range args {
		name, value, _ := strings.Cut(strings.TrimLeft(arg, "-"), "=")
		flags[name] = value
	}
	return flags
}

func run(flags map[string]string) error {
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{
		corev1.AddToScheme, hyperv1.AddToScheme, secretsstorev1.AddToScheme,
	} {
		if err := add(scheme); err != nil {
			return err
		}
	}
	config, err := ctrl.GetConfig()
	if err != nil {
		return err
	}
	manager, err := ctrl.NewManager(config, ctrl.Options{
		Scheme:                        scheme,
		Metrics:                       metricsserver.Options{BindAddress: flags["metrics-addr"]},
		LeaderElection:                true,
		LeaderElectionID:              "hypershift-operator-leader-elect",
		LeaderElectionNamespace:       flags["namespace"],
		LeaderElectionReleaseOnCancel: true,
	})
	if err != nil {
		return err
	}
	if err := (&reconciler{manager.GetClient()}).setUp(manager); err != nil {
		return err
	}
	return manager.Start(ctrl.SetupSignalHandler())
}
