// The provider of the Secrets Store CSI driver for Azure Key Vault: upstream's server on a socket file. Upstream's own
// main (cmd/main.go) also opens TCP ports on all interfaces for health and metrics, and prepares identity bindings,
// which need a commit of azidentity that the checksum database does not know.
package main

import (
	"errors"
	"flag"
	"net"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/Azure/go-autorest/autorest/azure"
	"google.golang.org/grpc"
	"google.golang.org/grpc/health/grpc_health_v1"
	"k8s.io/klog/v2"
	k8spb "sigs.k8s.io/secrets-store-csi-driver/provider/v1alpha1"

	"github.com/Azure/secrets-store-csi-driver-provider-azure/pkg/auth"
	"github.com/Azure/secrets-store-csi-driver-provider-azure/pkg/server"
	"github.com/Azure/secrets-store-csi-driver-provider-azure/pkg/utils"
	"github.com/Azure/secrets-store-csi-driver-provider-azure/pkg/version"
)

func main() {
	endpoint := flag.String("endpoint", "", "socket to listen on: unix:///folder/azure.sock")
	klog.InitFlags(nil)
	flag.Parse()
	defer klog.Flush()
	if err := run(strings.TrimPrefix(*endpoint, "unix://")); err != nil {
		klog.ErrorS(err, "the provider cannot run")
		klog.FlushAndExit(klog.ExitFlushTimeout, 1)
	}
}

func run(socket string) error {
	klog.InfoS("starting", "version", version.BuildVersion, "socket", socket)
	if err := os.Remove(socket); err != nil && !os.IsNotExist(err) {
		return err
	}
	// Whoever can connect can read secrets.
	previous := syscall.Umask(0o077)
	listener, err := net.Listen("unix", socket)
	syscall.Umask(previous)
	if err != nil {
		return err
	}
	auth.SetProxyTransport(nil, errors.New("the local cloud does not support useAzureTokenProxy"))
	// As upstream's main: the chain of a certificate is put in order, one file for certificate and key.
	provider := server.New(true, false, azure.PublicCloud)
	grpcServer := grpc.NewServer(grpc.UnaryInterceptor(utils.LogInterceptor()))
	k8spb.RegisterCSIDriverProviderServer(grpcServer, provider)
	grpc_health_v1.RegisterHealthServer(grpcServer, provider)

	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGTERM, syscall.SIGINT)
	go func() {
		<-stop
		grpcServer.GracefulStop()
	}()
	return grpcServer.Serve(listener)
}
