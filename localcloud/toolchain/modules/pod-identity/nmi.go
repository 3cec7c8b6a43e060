package main

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/klog/v2"

	"github.com/Azure/aad-pod-identity/pkg/k8s"
	node "github.com/Azure/aad-pod-identity/pkg/nmi"
	"github.com/Azure/aad-pod-identity/pkg/nmi/server"
)

// nmi runs the node component with upstream's defaults (cmd/nmi/main.go), but for the network: the local cloud's
// metadata service passes it the requests of pods, which the node's packet filter would.
func nmi(args []string) error {
	nodeName := flag.String("node", "", "node name")
	address := healthFlag()
	port := flag.String("nmi-port", "2579", "port on 127.0.0.1")
	created := flag.Int("retry-attempts-for-created", 16, "as upstream's")
	assigned := flag.Int("retry-attempts-for-assigned", 4, "as upstream's")
	interval := flag.Int("find-identity-retry-interval", 5, "as upstream's")
	scale := flag.Bool("enableScaleFeatures", true, "as upstream's")
	mode := flag.String("operation-mode", "standard", "as upstream's")
	metadataHeader := flag.Bool("metadata-header-required", true, "as upstream's")
	_ = flag.String("kubelet-config", "", "not read: there is no kubenet")
	if err := flag.CommandLine.Parse(args); err != nil {
		return err
	}
	if err := withoutPacketFilter(); err != nil {
		return err
	}
	klog.SetLogFilter(ofPods{})
	kube, err := node.GetKubeClient(*nodeName, *mode, *scale)
	if err != nil {
		return err
	}
	kube.Start(make(<-chan struct{}))
	s := server.NewServer("default", false, *metadataHeader, false)
	s.KubeClient = byLoopback{kube}
	s.MetadataIP, s.MetadataPort = "169.254.169.254", "80"
	s.NMIHost, s.NMIPort = "127.0.0.1", *port
	s.NodeName = *nodeName
	s.IPTableUpdateTimeIntervalInSeconds = 60
	s.TokenClient, err = node.GetTokenClient(kube, node.Config{
		Mode:                               *mode,
		RetryAttemptsForCreated:            *created,
		RetryAttemptsForAssigned:           *assigned,
		FindIdentityRetryIntervalInSeconds: *interval,
		Namespaced:                         os.Getenv("FORCENAMESPACED") == "true",
	})
	if err != nil {
		return err
	}
	health(*address, &s.Initialized)
	return s.Run()
}

// byLoopback knows the pod with the address 10.x.y.z by 127.x.y.z, from which its requests are passed on: a process can
// have only loopback addresses as its own.
type byLoopback struct{ k8s.Client }

func (c byLoopback) GetPodInfo(address string) (string, string, string, *metav1.LabelSelector, error) {
	return c.Client.GetPodInfo("10." + strings.TrimPrefix(address, "127."))
}

// senderOf finds the address of a sender: a whole argument, or in the text that upstream puts together.
var senderOf = regexp.MustCompile(`(^| req\.remote=)127\.`)

// ofPods has the log name the senders of requests by the addresses of their pods, as upstream's does.
type ofPods struct{}

func (ofPods) Filter(args []interface{}) []interface{} {
	for i, arg := range args {
		if text, ok := arg.(string); ok && text != "127.0.0.1" {
			args[i] = senderOf.ReplaceAllString(text, "${1}10.")
		}
	}
	return args
}

func (f ofPods) FilterF(format string, args []interface{}) (string, []interface{}) {
	return format, f.Filter(args)
}

func (ofPods) FilterS(message string, pairs []interface{}) (string, []interface{}) {
	return message, pairs
}

// withoutPacketFilter makes iptables a command that does nothing.
func withoutPacketFilter() error {
	folder, err := os.MkdirTemp("", "no-packet-filter-")
	if err != nil {
		return err
	}
	script := "#!/bin/sh\ncase $1 in --version) echo 'iptables v1.8.7 (legacy)' ;; esac\n"
	if err := os.WriteFile(filepath.Join(folder, "iptables"), []byte(script), 0o700); err != nil {
		return err
	}
	return os.Setenv("PATH", folder+":"+os.Getenv("PATH"))
}
