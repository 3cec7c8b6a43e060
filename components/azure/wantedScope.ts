import * as pulumi from '@pulumi/pulumi';
import { InvalidArgumentError } from '../resource/errors';
import {
  dnsZoneType,
  identityType,
  securityGroupType,
  tryParseResourceGroupId,
  tryParseResourceId,
  tryParseSubnetId,
  vaultType,
} from './resourceId';

const isOf = (type: string) => (id: string) =>
  tryParseResourceId(id)?.type.toLowerCase() === type.toLowerCase();

const kinds = {
  'DNS zone': isOf(dnsZoneType),
  'network security group': isOf(securityGroupType),
  'resource group': (id: string) => tryParseResourceGroupId(id) !== undefined,
  subnet: (id: string) => tryParseSubnetId(id) !== undefined,
  'user-assigned identity': isOf(identityType),
  vault: isOf(vaultType),
};

/**
 * Returns the scope of a role if its id has the expected kind. The id of a containing resource would widen the scope.
 * @param component the component and its name
 */
export function wantedScope(
  component: string,
  argument: string,
  kind: keyof typeof kinds,
  id: pulumi.Input<string>,
): pulumi.Output<string> {
  const checked = (value: string) => {
    if (kinds[kind](value)) return value;
    throw new InvalidArgumentError(component, {
      ...{ argument, value, problem: `is not the id of a ${kind}` },
      allowed: 'such an id, as `az resource show --query id` prints it',
    });
  };
  // Checks a known id at once, before anything is created.
  return typeof id === 'string' ? pulumi.output(checked(id)) : pulumi.output(id).apply(checked);
}
