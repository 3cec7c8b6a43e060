import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { keepGroups, prepareOperatorSources } from '../../../toolchain/operatorSources';
import { serviceOperatorGroups } from '../../../toolchain/tools';
import { Workshop, failureOf } from './workshop';

const operator = 'github.com/Azure/azure-service-operator/v2';

// All constructs of the vendor's files, shortened.
const registration = `package controllers

import (
	network_v1 "${operator}/api/network/v1api20240301/storage"
	frontdoor_v1 "${operator}/api/network.frontdoor/v1api20220501"
	storage_customizations "${operator}/api/storage/customizations"
	storage_v1 "${operator}/api/storage/v1api20230101/storage"
	"${operator}/internal/reconcilers"
	entrareconciler "${operator}/internal/reconcilers/entra"
	v1 "k8s.io/api/core/v1"
)

type ClientsProvider struct {
	KubeClient             kubeclient.Client
	EntraConnectionFactory entrareconciler.EntraConnectionFactory
}

// getKnownStorageTypes returns the list of storage types which can be reconciled.
func getKnownStorageTypes() []*registration.StorageType {
	var result []*registration.StorageType
	result = append(result, &registration.StorageType{Obj: new(network_v1.Bastion)})
	result = append(result, &registration.StorageType{
		Obj: new(frontdoor_v1.Policy),
		Indexes: []registration.Index{
			{
				Func: indexFrontdoorPolicy,
			},
		},
	})
	result = append(result, &registration.StorageType{
		Obj: new(storage_v1.Account),
		Watches: []registration.Watch{
			{
				Type: &v1.Secret{},
			},
		},
	})
	// entra
	result = append(
		result,
		&registration.StorageType{
			Reconciler: entrareconciler.New(),
		},
	)
	return result
}

func createScheme() *runtime.Scheme {
	scheme := runtime.NewScheme()
	_ = network_v1.AddToScheme(scheme)
	_ = storage_v1.AddToScheme(scheme)
	return scheme
}

// indexFrontdoorPolicy an index function for frontdoor_v1.Policy .spec.x
func indexFrontdoorPolicy(rawObj client.Object) []string {
	obj, ok := rawObj.(*frontdoor_v1.Policy)
	if !ok {
		return nil
	}
	return obj.Spec.X
}

// indexStorageAccount an index function for storage_v1.Account .spec.x
func indexStorageAccount(rawObj client.Object) []string {
	return storage_customizations.X(rawObj)
}
`;

describe('what Azure Service Operator is compiled from', () => {
  it('keeps the groups that are wanted, whole, and nothing that names another', () => {
    expect(keepGroups('x.go', registration, ['storage'])).toBe(`package controllers

import (
	storage_customizations "${operator}/api/storage/customizations"
	storage_v1 "${operator}/api/storage/v1api20230101/storage"
	"${operator}/internal/reconcilers"
	v1 "k8s.io/api/core/v1"
)

type ClientsProvider struct {
	KubeClient             kubeclient.Client
}

// getKnownStorageTypes returns the list of storage types which can be reconciled.
func getKnownStorageTypes() []*registration.StorageType {
	var result []*registration.StorageType
	result = append(result, &registration.StorageType{
		Obj: new(storage_v1.Account),
		Watches: []registration.Watch{
			{
				Type: &v1.Secret{},
			},
		},
	})
	// entra
	return result
}

func createScheme() *runtime.Scheme {
	scheme := runtime.NewScheme()
	_ = storage_v1.AddToScheme(scheme)
	return scheme
}


// indexStorageAccount an index function for storage_v1.Account .spec.x
func indexStorageAccount(rawObj client.Object) []string {
	return storage_customizations.X(rawObj)
}
`);
  });

  it('is what it was where every group is wanted', () => {
    const groups = ['network', 'network.frontdoor', 'storage', 'entra'];
    expect(keepGroups('x.go', registration, groups)).toBe(registration);
  });

  it('is refused if the vendor changes its format, with the hint', () => {
    const other = registration.replace('func indexFrontdoorPolicy', 'func frontdoorIndex');
    expect(() => keepGroups('x.go', other, ['storage'])).toThrow(
      /^x\.go of Azure Service Operator has an unexpected format\..*go\.mod: correct .*operatorSources\.ts/,
    );
  });

  describe('on disk', () => {
    let workshop: Workshop;
    let from: string;
    beforeEach(async () => {
      workshop = await Workshop.open();
      from = workshop.fetched(operator);
    });
    afterEach(() => workshop.close());

    it("is our main package with the vendor's registration beside it, without its tests", async () => {
      await writeFile(path.join(from, 'internal/controllers/controller_resources_gen.go'), registration);
      await writeFile(path.join(from, 'internal/controllers/storage_test.go'), 'package controllers_test');
      await mkdir(path.join(from, 'internal/controllers/recordings'));
      const into = path.join(workshop.root, 'sources');
      const ours = path.dirname(workshop.module('azure-service-operator', 'go.mod'));

      await prepareOperatorSources({ ours, from, groups: ['storage'], into });

      expect((await readdir(into)).sort()).toEqual([...(await readdir(ours)), 'app', 'controllers'].sort());
      expect(await readdir(path.join(into, 'app'))).toEqual(['flags.go']);
      expect((await readdir(path.join(into, 'controllers'))).sort()).toEqual([
        'controller_resources.go',
        'controller_resources_gen.go',
      ]);
      const kept = await readFile(path.join(into, 'controllers/controller_resources_gen.go'), 'utf8');
      expect(kept).not.toContain('network_v1');
    });

    it('names a group that does not exist, and those that do', async () => {
      const groups = [...serviceOperatorGroups, 'blobs'];
      const into = path.join(workshop.root, 'sources');
      const error = await failureOf(prepareOperatorSources({ ours: '/', from, groups, into }));
      expect(error.message).toMatch(/has no API group blobs; it has cache, .*network.*tools\.ts/);
    });
  });
});
