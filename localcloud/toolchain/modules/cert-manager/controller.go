package main

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"

	"github.com/cert-manager/cert-manager/pkg/controller"
	_ "github.com/cert-manager/cert-manager/pkg/controller/certificate-shim/ingresses"
	"github.com/cert-manager/cert-manager/pkg/healthz"
	logf "github.com/cert-manager/cert-manager/pkg/logs"

	// Each registers itself with controller.Known(). ACME, Vault and Venafi are left out: their clients for a
	// dozen clouds would double the time it takes to compile this binary, and nothing local can answer them.
	_ "github.com/cert-manager/cert-manager/pkg/controller/certificaterequests/approver"
	_ "github.com/cert-manager/cert-manager/pkg/controller/certificaterequests/ca"
	_ "github.com/cert-manager/cert-manager/pkg/controller/certificaterequests/selfsigned"
	_ "github.com/cert-manager/cert-manager/pkg/controller/certificates/issuing"
	_ "github.com/cert-manager/cert-manager/pkg/controller/certificates/keymanager"
	_ "github.com/cert-manager/cert-manager/pkg/controller/certificates/metrics"
	_ "github.com/cert-manager/cert-manager/pkg/controller/certificates/readiness"
	_ "github.com/cert-manager/cert-manager/pkg/controller/certificates/requestmanager"
	_ "github.com/cert-manager/cert-manager/pkg/controller/certificates/revisionmanager"
	_ "github.com/cert-manager/cert-manager/pkg/controller/certificates/trigger"
	_ "github.com/cert-manager/cert-manager/pkg/controller/clusterissuers"
	_ "github.com/cert-manager/cert-manager/pkg/controller/issuers"
	_ "github.com/cert-manager/cert-manager/pkg/issuer/ca"
	_ "github.com/cert-manager/cert-manager/pkg/issuer/selfsigned"
)

const controllerLease = "cert-manager-controller"

func controllerCommand() *cobra.Command {
	command := &cobra.Command{
		Use:   "controller",
		Short: "Issue certificates (issuers: CA, self-signed)",
		Args:  cobra.NoArgs,
	}
	options := newControllerOptions(command.Flags())
	command.RunE = func(command *cobra.Command, _ []string) error {
		if err := options.validate(); err != nil {
			return err
		}
		ctx, err := prepare(command.Context(), "controller", options.logging, options.gates)
		if err != nil {
			return err
		}
		return runController(ctx, options)
	}
	return command
}

func runController(ctx context.Context, options *controllerOptions) error {
	if _, err := restConfig(options.context.Kubeconfig); err != nil {
		return err
	}
	group, ctx := errgroup.WithContext(ctx)
	factory, err := controller.NewContextFactory(ctx, options.context)
	if err != nil {
		return err
	}
	shared, err := factory.Build()
	if err != nil {
		return err
	}

	if options.metricsAddress != "0" {
		listener, err := net.Listen("tcp", options.metricsAddress)
		if err != nil {
			return fmt.Errorf("--metrics-listen-address: %w", err)
		}
		serveUntilDone(ctx, group, shared.Metrics.NewServer(listener), listener)
	}
	health := healthz.NewServer(options.healthzTimeout)
	listener, err := net.Listen("tcp", options.healthzAddress)
	if err != nil {
		return fmt.Errorf("--internal-healthz-listen-address: %w", err)
	}
	group.Go(func() error { return health.Start(ctx, listener) })

	if options.election.enabled {
		if err := lead(ctx, group, factory, options.election, health.LeaderHealthzAdaptor); err != nil {
			return err
		}
	}
	if err := startControllers(ctx, group, factory, options); err != nil {
		return err
	}
	// Only now: a factory starts the informers that the controllers above asked it for.
	shared.SharedInformerFactory.Start(ctx.Done())
	shared.KubeSharedInformerFactory.Start(ctx.Done())
	shared.HTTP01ResourceMetadataInformersFactory.Start(ctx.Done())
	return group.Wait()
}

func startControllers(ctx context.Context, group *errgroup.Group, factory *controller.ContextFactory, options *controllerOptions) error {
	names, err := options.enabled()
	if err != nil {
		return err
	}
	log := logf.FromContext(ctx)
	for _, name := range names {
		built, err := controller.Known()[name](factory)
		if err != nil {
			return fmt.Errorf("controller %s: %w", name, err)
		}
		group.Go(func() error {
			log.V(logf.InfoLevel).Info("starting controller", "name", name)
			return built.Run(options.workers, ctx)
		})
	}
	return nil
}

func serveUntilDone(ctx context.Context, group *errgroup.Group, server *http.Server, listener net.Listener) {
	group.Go(func() error {
		if err := server.Serve(listener); err != http.ErrServerClosed {
			return err
		}
		return nil
	})
	group.Go(func() error {
		<-ctx.Done()
		limited, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
		defer cancel()
		return server.Shutdown(limited)
	})
}

// lead returns once this process holds the lease; losing it later ends the process.
func lead(ctx context.Context, group *errgroup.Group, factory *controller.ContextFactory, election leaderElection, watchdog *leaderelection.HealthzAdaptor) error {
	client, err := factory.Build("leader-election")
	if err != nil {
		return err
	}
	host, err := os.Hostname()
	if err != nil {
		return err
	}
	elected := make(chan struct{})
	elector, err := leaderelection.NewLeaderElector(leaderelection.LeaderElectionConfig{
		Lock: &resourcelock.LeaseLock{
			LeaseMeta:  metav1.ObjectMeta{Namespace: election.namespace, Name: controllerLease},
			Client:     client.Client.CoordinationV1(),
			LockConfig: resourcelock.ResourceLockConfig{Identity: fmt.Sprintf("%s-%d", host, os.Getpid())},
		},
		LeaseDuration:   election.leaseDuration,
		RenewDeadline:   election.renewDeadline,
		RetryPeriod:     election.retryPeriod,
		ReleaseOnCancel: true,
		WatchDog:        watchdog,
		Callbacks: leaderelection.LeaderCallbacks{
			OnStartedLeading: func(context.Context) { close(elected) },
			OnStoppedLeading: func() {},
		},
	})
	if err != nil {
		return fmt.Errorf("leader election: %w", err)
	}
	group.Go(func() error {
		elector.Run(ctx)
		if ctx.Err() != nil {
			return nil
		}
		return fmt.Errorf("lost the lease %s/%s", election.namespace, controllerLease)
	})
	select {
	case <-elected:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
