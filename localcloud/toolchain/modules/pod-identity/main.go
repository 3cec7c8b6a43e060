// aad-pod-identity: upstream's controller (mic) and node component (nmi). Upstream's own mains open TCP ports on all
// interfaces for health and metrics; these open one for health, on the address that they are given.
package main

import (
	"flag"
	"fmt"
	"net/http"
	"os"

	"k8s.io/klog/v2"
)

func main() {
	defer klog.Flush()
	run, known := map[string]func([]string) error{"mic": mic, "nmi": nmi}[subcommand()]
	if !known {
		fmt.Fprintln(os.Stderr, "give mic or nmi")
		os.Exit(2)
	}
	klog.InitFlags(nil)
	if err := run(os.Args[2:]); err != nil {
		klog.ErrorS(err, "aad-pod-identity cannot run")
		klog.Flush()
		os.Exit(1)
	}
}

func subcommand() string {
	if len(os.Args) < 2 {
		return ""
	}
	return os.Args[1]
}

// health answers as upstream's probes do, on the address of the flag --health-addr.
func health(address string, active *bool) {
	handler := http.NewServeMux()
	handler.HandleFunc("/healthz", func(w http.ResponseWriter, _ *http.Request) {
		if *active {
			_, _ = w.Write([]byte("Active"))
			return
		}
		_, _ = w.Write([]byte("Not Active"))
	})
	go func() { klog.Fatal(http.ListenAndServe(address, handler)) }()
}

func healthFlag() *string {
	return flag.String("health-addr", "127.0.0.1:0", "address of the health probe")
}
