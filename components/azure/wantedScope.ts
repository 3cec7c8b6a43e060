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
 * The id on which a role is assigned, if it is of that kind: on something that has it in it, the role would reach further.
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
  // At once if it can be: before anything is made.
  return typeof id === 'string' ? pulumi.output(checked(id)) : pulumi.output(id).apply(checked);
}
