// A pod of a hosted control plane, as far as its identity is concerned: it signs in by the file that HyperShift mounts, with
// the library that HyperShift's programs use, and sends the requests that it is told to.
//
//	GET /readyz
//	GET /get?url=…        the answer of an Azure service, with a token of the credential that runs since the start
//	GET /get?url=…&fresh  the same, with a credential that reads the file anew, as a program that starts does
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/msi-dataplane/pkg/dataplane"
)

// As HyperShift names it (support/config/constants.go).
const fileVariable = "MANAGED_AZURE_HCP_CREDENTIALS_FILE_PATH"

// RELOAD is the interval after which the file is read again; without it the library's, 6 hours.
const reloadVariable = "RELOAD"

type answer struct {
	Status int             `json:"status"`
	Body   json.RawMessage `json:"body"`
	// Why there is no token.
	Error string `json:"error,omitempty"`
}

func main() {
	if err := run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	file := os.Getenv(fileVariable)
	options := []dataplane.Option{}
	if text, found := os.LookupEnv(reloadVariable); found {
		interval, err := time.ParseDuration(text)
		if err != nil {
			return fmt.Errorf("%s: %w", reloadVariable, err)
		}
		options = append(options, dataplane.WithBackstopRefresh(interval))
	}
	running, err := dataplane.NewUserAssignedIdentityCredential(ctx, file, options...)
	if err != nil {
		return err
	}
	http.HandleFunc("GET /readyz", func(http.ResponseWriter, *http.Request) {})
	http.HandleFunc("GET /get", func(writer http.ResponseWriter, request *http.Request) {
		credential, query := running, request.URL.Query()
		if query.Has("fresh") {
			stop, cancel := context.WithCancel(ctx)
			defer cancel()
			fresh, err := dataplane.NewUserAssignedIdentityCredential(stop, file)
			if err != nil {
				reply(writer, answer{Error: err.Error()})
				return
			}
			credential = fresh
		}
		reply(writer, get(request.Context(), credential, query.Get("url")))
	})
	return http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), nil)
}

func get(ctx context.Context, credential azcore.TokenCredential, target string) answer {
	parsed, err := url.Parse(target)
	if err != nil {
		return answer{Error: err.Error()}
	}
	scope := fmt.Sprintf("https://%s/.default", parsed.Host)
	token, err := credential.GetToken(ctx, policy.TokenRequestOptions{Scopes: []string{scope}})
	if err != nil {
		return answer{Error: err.Error()}
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, target, nil)
	if err != nil {
		return answer{Error: err.Error()}
	}
	request.Header.Set("Authorization", "Bearer "+token.Token)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return answer{Error: err.Error()}
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return answer{Error: err.Error()}
	}
	return answer{Status: response.StatusCode, Body: body}
}

func reply(writer http.ResponseWriter, what answer) {
	writer.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(writer).Encode(what)
}
