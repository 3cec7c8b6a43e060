import type { HostedClusterOutput } from '../../stacks/outputs/hostedClusterOutput';
import type { StackOutputs } from '../../stacks/outputs/outputs';

type HostedIdentity = HostedClusterOutput['components'][number];

/** An identity of a hosted cluster. */
export interface IdentityView extends Pick<
  HostedIdentity,
  'component' | 'secretProviderClass' | 'secret' | 'roles' | 'expiresOn' | 'keyIds'
> {
  /** `name` is the name in Azure or in Entra. */
  identity: Pick<HostedIdentity, 'name' | 'clientId' | 'principalId'>;
  /** Tokens that it trusts; empty if it signs in with a certificate. */
  trusts: StackOutputs['identities'][number]['trusts'];
  /** Its certificate has expired; absent if it signs in with federation. */
  expired?: boolean;
}

/** A hosted cluster in the output of `--json`. */
export interface HostedClusterView extends Omit<
  HostedClusterOutput,
  'components' | 'nodes' | 'patch' | 'place'
> {
  /** An update would renew its certificates; absent if it has none. */
  renewalDue?: boolean;
  components: IdentityView[];
  nodes: IdentityView[];
}

/** Returns the hosted clusters in the outputs of a stack, and what is due at `now`. */
export function hostedClusterViews(
  { hostedClusters, identities }: Pick<StackOutputs, 'hostedClusters' | 'identities'>,
  now: Date,
): HostedClusterView[] {
  const isPast = (time: string) => Date.parse(time) <= now.getTime();
  const identityView = ({
    component,
    name,
    clientId,
    principalId,
    ...rest
  }: HostedIdentity): IdentityView => ({
    component,
    identity: { name, clientId, principalId },
    ...rest,
    trusts: identities.filter((identity) => identity.name === name).flatMap(({ trusts }) => trusts),
    ...(rest.expiresOn !== undefined && { expired: isPast(rest.expiresOn) }),
  });
  return hostedClusters.map(({ components, nodes, patch: _, place: __, ...hosted }) => ({
    ...hosted,
    ...(hosted.renewAfter !== undefined && { renewalDue: isPast(hosted.renewAfter) }),
    components: components.map(identityView),
    nodes: nodes.map(identityView),
  }));
}
