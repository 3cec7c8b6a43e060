package main

import (
	"context"
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	secretsstorev1 "sigs.k8s.io/secrets-store-csi-driver/apis/v1"

	hyperv1 "github.com/openshift/hypershift/api/hypershift/v1beta1"

	"localcloud/toolchain/hypershift/hypershift-operator/controllers/manifests"
	"localcloud/toolchain/hypershift/support/secretproviderclass"
)

const (
	// As HyperShift labels the namespace of a hosted control plane.
	controlPlaneLabel = "hypershift.openshift.io/hosted-control-plane"
	// `<namespace>/<name>` of the HostedCluster, as HyperShift annotates what belongs to one.
	hostedClusterAnnotation = "hypershift.openshift.io/cluster"
)

// reconciler gives each HostedCluster the namespace of its control plane and the SecretProviderClasses in it.
type reconciler struct{ client.Client }

func (r *reconciler) setUp(manager ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(manager).
		For(&hyperv1.HostedCluster{}).
		// A class that somebody changes or deletes is made again.
		Watches(&secretsstorev1.SecretProviderClass{}, handler.EnqueueRequestsFromMapFunc(hostedClusterOf)).
		Complete(r)
}

func hostedClusterOf(_ context.Context, object client.Object) []reconcile.Request {
	namespace, name, found := strings.Cut(object.GetAnnotations()[hostedClusterAnnotation], "/")
	if !found {
		return nil
	}
	return []reconcile.Request{{NamespacedName: client.ObjectKey{Namespace: namespace, Name: name}}}
}

// Reconcile makes what is missing of a HostedCluster, and removes the namespace of one that is gone.
func (r *reconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{
		Name: manifests.HostedControlPlaneNamespace(request.Namespace, request.Name),
	}}
	var hosted hyperv1.HostedCluster
	if err := r.Get(ctx, request.NamespacedName, &hosted); client.IgnoreNotFound(err) != nil {
		return ctrl.Result{}, err
	} else if err != nil || hosted.DeletionTimestamp != nil {
		return ctrl.Result{}, r.remove(ctx, namespace)
	}
	if _, err := controllerutil.CreateOrUpdate(ctx, r, namespace, func() error {
		metav1.SetMetaDataLabel(&namespace.ObjectMeta, controlPlaneLabel, "true")
		return nil
	}); err != nil {
		return ctrl.Result{}, fmt.Errorf("namespace %s: %w", namespace.Name, err)
	}
	// As HyperShift copies them into the HostedControlPlane, of which the classes are made.
	hcp := &hyperv1.HostedControlPlane{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace.Name, Name: hosted.Name},
		Spec: hyperv1.HostedControlPlaneSpec{
			Platform:         hosted.Spec.Platform,
			SecretEncryption: hosted.Spec.SecretEncryption,
			Capabilities:     hosted.Spec.Capabilities,
		},
	}
	for _, one := range classesOf(hcp) {
		made := &secretsstorev1.SecretProviderClass{
			ObjectMeta: metav1.ObjectMeta{Namespace: namespace.Name, Name: one.name},
		}
		if _, err := controllerutil.CreateOrUpdate(ctx, r, made, func() error {
			metav1.SetMetaDataAnnotation(&made.ObjectMeta, hostedClusterAnnotation, request.String())
			secretproviderclass.ReconcileManagedAzureSecretProviderClass(made, hcp, one.identity)
			return nil
		}); err != nil {
			return ctrl.Result{}, fmt.Errorf("SecretProviderClass %s/%s: %w", namespace.Name, one.name, err)
		}
	}
	return ctrl.Result{}, nil
}

// remove deletes the namespace of a control plane, and no other.
func (r *reconciler) remove(ctx context.Context, namespace *corev1.Namespace) error {
	if err := r.Get(ctx, client.ObjectKeyFromObject(namespace), namespace); err != nil {
		return client.IgnoreNotFound(err)
	}
	if namespace.Labels[controlPlaneLabel] != "true" || namespace.DeletionTimestamp != nil {
		return nil
	}
	return client.IgnoreNotFound(r.Delete(ctx, namespace))
}
