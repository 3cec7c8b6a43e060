import * as pulumi from '@pulumi/pulumi';
import type { ResourceId } from './resourceId';
import { assertExisting, parseResourceId } from './resourceId';

/** An existing resource. */
export interface ExistingResource<Found> {
  /** The parts of the id that was given. */
  readonly place: pulumi.Output<ResourceId>;
  /** The resource as Azure answered it. */
  readonly found: pulumi.Output<Found>;
}

/** Looks up the existing resource whose id an argument of the component gives. */
export function existingResource<Found extends { readonly id: string }>(
  id: pulumi.Input<string>,
  component: string,
  get: (place: pulumi.Output<ResourceId>) => pulumi.Output<Found>,
): ExistingResource<Found> {
  const place = pulumi.output(id).apply(parseResourceId);
  const answer = get(place);
  const found = pulumi.output(id).apply((known) =>
    answer.apply((resource) => {
      assertExisting(component, known, resource.id);
      return resource;
    }),
  );
  return { place, found };
}
