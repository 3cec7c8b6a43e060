import { ArmError } from '../errors';
import locations from './locations.json';

/** Some of Azure's regions. */
export const LOCATIONS: readonly { name: string; displayName: string }[] = locations;

const NAMES = LOCATIONS.map(({ name }) => name);

const normalised = (location: string): string => location.toLowerCase().replaceAll(' ', '');

/** Azure's normalized name of a location: `West Europe` becomes `westeurope`. */
export function normaliseLocation(location: string, type: string): string {
  const name = normalised(location);
  if (NAMES.includes(name)) return name;
  throw new ArmError(
    400,
    'LocationNotAvailableForResourceType',
    `The provided location '${location}' is not available for resource type '${type}'. List of available regions for the resource type is '${NAMES.join(',')}'.`,
  );
}

/**
 * Returns the normalized location of a group; throws if the location is unknown or would change. Sources:
 * cloud-barista/cb-spider #527, Azure/azure-cli #22242.
 */
export function groupLocation(location: string, existing: string | undefined): string {
  const name = normalised(location);
  if (!NAMES.includes(name)) {
    throw new ArmError(
      400,
      'LocationNotAvailableForResourceGroup',
      `The provided location '${location}' is not available for resource group. List of available regions is '${NAMES.join(',')}'.`,
    );
  }
  if (existing === undefined || existing === name) return name;
  throw new ArmError(
    409,
    'InvalidResourceGroupLocation',
    `Invalid resource group location '${location}'. The Resource group already exists in location '${existing}'.`,
  );
}

/** Refuses a change of a resource's location. */
export function checkSameLocation(
  name: string,
  existing: string | undefined,
  requestedLocation: string,
): void {
  if (existing === undefined || existing === requestedLocation) return;
  throw new ArmError(
    409,
    'InvalidResourceLocation',
    `The resource '${name}' already exists in location '${existing}'. A resource with the same name cannot be created in location '${requestedLocation}'. Please select a new resource name.`,
  );
}
