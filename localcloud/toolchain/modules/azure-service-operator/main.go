// Command azure-service-operator is Azure Service Operator as upstream's cmd/controller starts it: same flags, same
// environment, all of its controllers and webhooks. Some things differ, because its pods share one host:
//
//   - the token of the workload identity is read from AZURE_FEDERATED_TOKEN_FILE, where that is set; upstream fixes
//     the path;
//   - the webhooks listen on the loopback interface only;
//   - the namespace of the leader's lease is the environment's too; upstream reads it from a file of the pod;
//   - it is ready once its webhooks listen; upstream is as soon as it lives;
//   - metrics are not served;
//   - it has the API groups of localcloud/toolchain/tools.ts only, and not those of Entra (Microsoft Graph).
//
// Its packages app and controllers are copies of the vendor's, made by localcloud/toolchain/operatorSources.ts.
package main

import (
	"flag"
	"fmt"
	"os"

	ctrl "sigs.k8s.io/controller-runtime"

	"github.com/Azure/azure-service-operator/v2/cmd/controller/logging"
	"github.com/Azure/azure-service-operator/v2/cmd/localcloud/app"
	"github.com/Azure/azure-service-operator/v2/internal/version"
)

func main() {
	flags := flag.NewFlagSet("azure-service-operator "+version.BuildVersion, flag.ExitOnError)
	appFlags := app.InitFlags(flags)
	logFlags := logging.InitFlags(flags)
	if err := flags.Parse(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	log := logging.Create(logFlags)
	ctrl.SetLogger(log)
	log.Info("starting", "version", version.BuildVersion, "flags", appFlags.String())
	if err := run(ctrl.SetupSignalHandler(), log, appFlags); err != nil {
		log.Error(err, "azure-service-operator cannot run")
		os.Exit(1)
	}
}
