import * as pulumi from '@pulumi/pulumi';
import { read } from '../resource/given';
import type { GivenName } from './naming';
import { assertName } from './naming';
import type { ExistingArgument, ResourceId } from './resourceId';
import { assertExisting, parseGivenId } from './resourceId';

/** The name of a resource as an argument gives it. A name that nothing of its type can have is refused. */
export function givenName(
  name: pulumi.Input<string>,
  argument: Omit<GivenName, 'name'>,
): pulumi.Output<string> {
  return read(name, (known) => {
    assertName({ ...argument, name: known });
    return known;
  });
}

/** An existing resource. */
export interface ExistingResource<Found> {
  /** The parts of the id that was given. */
  readonly place: pulumi.Output<ResourceId>;
  /** The resource as Azure answered it. */
  readonly found: pulumi.Output<Found>;
}

/** Looks up the existing resource whose id an argument gives. */
export function existingResource<Found extends { readonly id: string }>(
  id: pulumi.Input<string>,
  argument: ExistingArgument,
  get: (place: pulumi.Output<ResourceId>) => pulumi.Output<Found>,
): ExistingResource<Found> {
  const place = read(id, (known) => parseGivenId(known, argument));
  const answer = get(place);
  const found = pulumi.output(id).apply((known) =>
    answer.apply((resource) => {
      assertExisting(argument.component, known, resource.id);
      return resource;
    }),
  );
  return { place, found };
}
