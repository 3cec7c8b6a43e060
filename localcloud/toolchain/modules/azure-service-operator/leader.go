package main

import (
	"context"
	"os"
	"sync"

	"github.com/go-logr/logr"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/leaderelection"
	ctrl "sigs.k8s.io/controller-runtime"
	leases "sigs.k8s.io/controller-runtime/pkg/leaderelection"

	"github.com/Azure/azure-service-operator/v2/internal/crdmanagement"
)

// newLeaderElector is crdmanagement.NewLeaderElector, which leaves out the namespace of the lease and takes that of the
// controllers: a second replica that comes too late then waits for definitions that are applied already, until its
// startup probe gives up after two minutes.
func newLeaderElector(
	cluster *rest.Config,
	log logr.Logger,
	options ctrl.Options,
	manager ctrl.Manager,
) (*crdmanagement.LeaderElector, error) {
	lock, err := leases.NewResourceLock(cluster, manager, leases.Options{
		LeaderElection:          options.LeaderElection,
		LeaderElectionID:        options.LeaderElectionID + "-definitions",
		LeaderElectionNamespace: options.LeaderElectionNamespace,
	})
	if err != nil {
		return nil, err
	}
	var acquired, released sync.WaitGroup
	acquired.Add(1)
	released.Add(1)
	var mutex sync.Mutex
	var leading context.Context
	elector, err := leaderelection.NewLeaderElector(leaderelection.LeaderElectionConfig{
		Lock:            lock,
		LeaseDuration:   *options.LeaseDuration,
		RenewDeadline:   *options.RenewDeadline,
		RetryPeriod:     *options.RetryPeriod,
		ReleaseOnCancel: options.LeaderElectionReleaseOnCancel,
		Name:            options.LeaderElectionID + "-definitions",
		Callbacks: leaderelection.LeaderCallbacks{
			OnStartedLeading: func(ctx context.Context) {
				mutex.Lock()
				leading = ctx
				mutex.Unlock()
				acquired.Done()
			},
			OnStoppedLeading: func() {
				released.Done()
				mutex.Lock()
				defer mutex.Unlock()
				// Given up, and not lost: the definitions are applied, and the next start sees them.
				if leading != nil && leading.Err() != nil {
					os.Exit(0)
				}
				log.Info("lost the lease of the definitions")
				os.Exit(1)
			},
		},
	})
	if err != nil {
		return nil, err
	}
	return &crdmanagement.LeaderElector{Elector: elector, LeaseAcquired: &acquired, LeaseReleased: &released}, nil
}
