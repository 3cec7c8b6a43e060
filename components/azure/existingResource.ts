import * as pulumi from '@pulumi/pulumi';
import type { ResourceId } from './resourceId';
import { assertExisting, parseResourceId } from './resourceId';

/** Reads an existing resource by the id in the component's arguments. `place` has the parts of the id. */
export function existingResource<Found extends { readonly id: string }>(
  id: pulumi.Input<string>,
  component: string,
  get: (place: pulumi.Output<ResourceId>) => pulumi.Output<Found>,
) {
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
