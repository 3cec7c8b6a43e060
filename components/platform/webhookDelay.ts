/**
 * Maximum wait until the API server calls a webhook, in milliseconds. It calls webhooks by its own copies of their
 * configurations. On a busy machine it can keep an older copy, without the certificate authority, until it reads all of
 * them again, every ten minutes (Kubernetes 1.36, apiserver/pkg/admission/configuration/mutating_webhook_manager.go and
 * pkg/controlplane/apiserver/config.go).
 */
export const webhookWithinMs = 12 * 60_000;
