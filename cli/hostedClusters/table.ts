import pc from 'picocolors';
import { shownInLine } from '../shownOnTerminal';
import { fittedTable, terminalWidth } from '../fittedTable';
import type { HostedClusterView } from './view';

const titles = ['component', 'secret', 'identity', 'expires on'];

/**
 * Renders a table for each hosted cluster with a row for each component, and the renewal of its certificates.
 *
 * @param terminal width of the terminal
 */
export function renderHostedClusters(
  stack: string,
  hostedClusters: readonly HostedClusterView[],
  terminal = terminalWidth(),
): string {
  if (hostedClusters.length === 0) return `Stack ${stack} has no hosted clusters.\n`;
  return hostedClusters.map((hosted) => render(stack, hosted, terminal)).join('\n');
}

function render(stack: string, hosted: HostedClusterView, terminal: number): string {
  const rows = hosted.components.map(
    ({ component, secret = 'none: federation', identity, expiresOn = 'never', expired }) => [
      component,
      secret,
      identity.name,
      expired ? pc.red(`${expiresOn} expired`) : expiresOn,
    ],
  );
  return [
    `${pc.bold(shownInLine(hosted.name))} on ${hosted.managementCluster}`,
    fittedTable(titles, rows, [2, 1], terminal),
    renewal(stack, hosted),
    ...installation(hosted),
    '',
  ].join('\n');
}

/** Option for the installation of HyperShift that names the reader of the secrets. Not needed if the stack installs it. */
function installation({ managementCluster, reader, installsHyperShift }: HostedClusterView): string[] {
  return reader === undefined || installsHyperShift === true
    ? []
    : [
        `HyperShift reads the secrets if it was installed on ${managementCluster} with \`hypershift install --managed-service ARO-HCP --aro-hcp-key-vault-users-client-id ${reader.clientId}\`.`,
      ];
}

/** Describes the next renewal of the certificates, or tells to update now. */
function renewal(stack: string, { renewAfter, renewalDue, components }: HostedClusterView): string {
  if (renewAfter === undefined)
    return 'All components sign in with federation: there are no certificates that expire.';
  const update = `\`pulumi up --stack ${stack}\` creates new certificates.`;
  const withExpired = components.filter(({ expired }) => expired).map(({ component }) => component);
  if (withExpired.length > 0)
    return `${pc.red('✗')} Cannot sign in because the certificate has expired: ${withExpired.join(', ')}.\n→ ${update}`;
  return renewalDue
    ? `${pc.yellow('!')} The certificates have been due for renewal since ${renewAfter}.\n→ ${update}`
    : `An update renews the certificates from ${renewAfter} on.`;
}
