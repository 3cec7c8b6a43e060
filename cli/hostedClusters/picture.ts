import type { Colour, Column, Text } from '../picture/columns';
import { originOf } from '../picture/origin';
import type { Panel } from '../picture/svg';
import { drawPicture } from '../picture/svg';
import type { HostedClusterView, IdentityView } from './view';

/** Draws the class, secret, identity and roles of each component as an SVG document with a panel for each hosted cluster. */
export function hostedClustersPicture(
  stack: string,
  hostedClusters: readonly HostedClusterView[],
  now: Date,
): string {
  return drawPicture({
    title:
      hostedClusters.length === 0
        ? `Stack ${stack} has no hosted clusters`
        : `Hosted clusters of stack ${stack}`,
    notes: [originOf(stack, { from: 'deployed', at: now })],
    panels: hostedClusters.map(panel),
  });
}

function panel(hosted: HostedClusterView): Panel {
  const { name, managementCluster, controlPlaneNamespace, components, nodes } = hosted;
  return {
    title: `${name}, with its control plane on ${managementCluster} in ${controlPlaneNamespace}`,
    sections: [
      hosted.authentication === 'ManagedIdentities'
        ? { title: 'Control plane, by certificate', columns: byCertificate(hosted) }
        : { title: 'All components, by federation', columns: byFederation(components) },
      ...(nodes.length === 0 ? [] : [{ title: 'Nodes, by federation', columns: byFederation(nodes) }]),
    ],
  };
}

/** The reader identity connects class and secret. */
function byCertificate({ components, vault = '', reader }: HostedClusterView): Column[] {
  const readerTexts = [{ text: 'on the nodes', quiet: true }, { text: reader?.clientId ?? '' }];
  return [
    column('component', 'blue', 20, components, ({ component }) => [component]),
    column('SecretProviderClass', 'grey', 20, components, ({ secretProviderClass = '' }) => [
      secretProviderClass,
    ]),
    {
      ...{ title: 'reader identity', colour: 'green', characters: 14 },
      cells: [{ texts: readerTexts, rows: components.length }],
    },
    {
      ...column('vault secret', 'yellow', 22, components, ({ secret = '' }) => [secret]),
      frame: `vault ${vault}`,
    },
    ...identityAndRoles(components, [22, 36]),
  ];
}

function byFederation(identities: readonly IdentityView[]): Column[] {
  return [
    column('component', 'blue', 20, identities, ({ component }) => [component]),
    column('service accounts', 'grey', 42, identities, ({ trusts }) =>
      trusts.map(({ subject }) => subject.replace(/^system:serviceaccount:([^:]+):/, '$1/')),
    ),
    ...identityAndRoles(identities, [32, 48]),
  ];
}

function identityAndRoles(
  identities: readonly IdentityView[],
  [identityWidth, rolesWidth]: readonly [number, number],
): Column[] {
  return [
    column('identity', 'green', identityWidth, identities, ({ identity }) => [identity.name]),
    column('roles and scopes', 'grey', rolesWidth, identities, ({ roles }) => roleTexts(roles)),
  ];
}

function column(
  title: string,
  colour: Colour,
  characters: number,
  identities: readonly IdentityView[],
  textsOf: (identity: IdentityView) => readonly (string | Text)[],
): Column {
  const cells = identities.map((identity) => ({
    texts: textsOf(identity).map((text) => (typeof text === 'string' ? { text } : text)),
  }));
  return { title, colour, characters, cells };
}

/** Returns each role with its scopes below it, without the prefixes of their ids. */
function roleTexts(roles: IdentityView['roles']): readonly (string | Text)[] {
  if (roles.length === 0) return [{ text: 'none', quiet: true }];
  const nameOf = ({ role, name = role }: IdentityView['roles'][number]) => name;
  return [...new Set(roles.map(nameOf))].flatMap((role) => [
    role,
    ...roles
      .filter((assignment) => nameOf(assignment) === role)
      .map(({ scope }) => ({
        text: scope.replace(/^.*\/providers\/[^/]+\/|^\/subscriptions\/[^/]+\//i, ''),
        quiet: true,
      })),
  ]);
}
