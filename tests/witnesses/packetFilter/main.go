// aad-pod-identity's own server on a node, with its own iptables rules: it shows that a request of a pod for the metadata
// service arrives at it, and from which pod. Kubernetes and Entra are not asked: it knows one pod, and its token is a text.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"os"

	"github.com/Azure/go-autorest/autorest/adal"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	aadpodid "github.com/Azure/aad-pod-identity/pkg/apis/aadpodidentity"
	"github.com/Azure/aad-pod-identity/pkg/k8s"
	"github.com/Azure/aad-pod-identity/pkg/nmi/server"
)

// Of ListPodIdentityExceptions and GetPodInfo, the only ones that the server calls.
type onePod struct {
	k8s.Client
	address string
}

func (c onePod) GetPodInfo(address string) (string, string, string, *metav1.LabelSelector, error) {
	if address != c.address {
		return "", "", "", nil, fmt.Errorf("no pod has the address %s", address)
	}
	return "orders", "orders-0", "orders", &metav1.LabelSelector{}, nil
}

func (onePod) ListPodIdentityExceptions(string) (*[]aadpodid.AzurePodIdentityException, error) {
	return &[]aadpodid.AzurePodIdentityException{}, nil
}

type tokenOfPod struct{}

func (tokenOfPod) GetIdentities(context.Context, string, string, string, string) (*aadpodid.AzureIdentity, error) {
	return &aadpodid.AzureIdentity{}, nil
}

func (tokenOfPod) GetTokens(context.Context, string, string, aadpodid.AzureIdentity) ([]*adal.Token, error) {
	number := json.Number("0")
	return []*adal.Token{{AccessToken: "token of orders-0", ExpiresIn: number, ExpiresOn: number, NotBefore: number}}, nil
}

// Arguments: address of the node, address of the pod.
func main() {
	s := server.NewServer("default", false, true, false)
	s.KubeClient = onePod{address: os.Args[2]}
	s.TokenClient = tokenOfPod{}
	s.MetadataIP, s.MetadataPort = "169.254.169.254", "80"
	s.NMIHost, s.NMIPort = os.Args[1], "2579"
	s.IPTableUpdateTimeIntervalInSeconds = 60
	log.Fatal(s.Run())
}
