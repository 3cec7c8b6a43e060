// Generates the SDKs for Go and Python from a schema, as `pulumi package add` does with these languages' hosts.
package main

import (
	"encoding/json"
	"log"
	"os"
	"path/filepath"

	golang "github.com/pulumi/pulumi/pkg/v3/codegen/go"
	"github.com/pulumi/pulumi/pkg/v3/codegen/python"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

func main() {
	schemaFile, folder := os.Args[1], os.Args[2]
	text, err := os.ReadFile(schemaFile)
	check(err)
	var spec schema.PackageSpec
	check(json.Unmarshal(text, &spec))
	// The schema refers to no other package, so nothing is loaded.
	pkg, err := schema.ImportSpec(spec, nil, schema.NewCachedLoader(nil), schema.ValidationOptions{})
	check(err)
	pkg.SupportPack = true
	files, err := golang.GeneratePackage("test", pkg, nil)
	check(err)
	write(filepath.Join(folder, "go"), files)
	files, err = python.GeneratePackage("test", pkg, nil, nil)
	check(err)
	write(filepath.Join(folder, "python"), files)
}

func write(folder string, files map[string][]byte) {
	for name, text := range files {
		file := filepath.Join(folder, name)
		check(os.MkdirAll(filepath.Dir(file), 0o755))
		check(os.WriteFile(file, text, 0o644))
	}
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
