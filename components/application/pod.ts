import type { types } from '@pulumi/kubernetes';

/** An environment variable of a container. */
export type Variable = types.input.core.v1.EnvVar & { readonly name: string };

/** Additions to the pods of an image. */
export interface PodAdditions {
  readonly env?: Variable[];
  readonly volumes?: types.input.core.v1.Volume[];
  readonly volumeMounts?: types.input.core.v1.VolumeMount[];
}
