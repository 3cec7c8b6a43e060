package main

import (
	"flag"
	"os"
	"time"

	"k8s.io/client-go/tools/clientcmd"

	controller "github.com/Azure/aad-pod-identity/pkg/mic"
	"github.com/Azure/aad-pod-identity/version"
)

// mic runs the controller with upstream's defaults (cmd/mic/main.go).
func mic(args []string) error {
	cloudConfig := flag.String("cloudconfig", "", "azure.json of the node")
	reconcile := flag.Duration("identity-assignment-reconcile-interval", 3*time.Minute, "as upstream's")
	address := healthFlag()
	if err := flag.CommandLine.Parse(args); err != nil {
		return err
	}
	config, err := clientcmd.BuildConfigFromFlags("", os.Getenv("KUBECONFIG"))
	if err != nil {
		return err
	}
	config.UserAgent = version.GetUserAgent("MIC", version.MICVersion)
	config.QPS, config.Burst = 5, 5
	client, err := controller.NewMICClient(&controller.Config{
		CloudCfgPath:      *cloudConfig,
		RestConfig:        config,
		IsNamespaced:      os.Getenv("FORCENAMESPACED") == "true",
		SyncRetryInterval: time.Hour,
		LeaderElectionCfg: &controller.LeaderElectionConfig{
			Namespace: "default",
			Name:      "aad-pod-identity-mic",
			Duration:  15 * time.Second,
			Instance:  os.Getenv("HOSTNAME"),
		},
		CreateDeleteBatch: 20,
		CMcfg: &controller.CMConfig{
			Namespace: os.Getenv("MIC_POD_NAMESPACE"),
			Name:      "aad-pod-identity-config",
		},
		TypeUpgradeCfg: &controller.TypeUpgradeConfig{
			TypeUpgradeStatusKey: "type-upgrade-status",
			EnableTypeUpgrade:    true,
		},
		UpdateUserMSICfg:                    &controller.UpdateUserMSIConfig{MaxRetry: 2, RetryInterval: time.Second},
		IdentityAssignmentReconcileInterval: *reconcile,
	})
	if err != nil {
		return err
	}
	health(*address, &client.SyncLoopStarted)
	client.Run()
	select {}
}
