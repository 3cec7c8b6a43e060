import { readFileSync, writeFileSync } from 'node:fs';
import { rootCertificates } from 'node:tls';
import { ownVariables } from '../../stacks/settings/ownVariables';

/** Writes the certificates that a recorded program has to trust: of the recorder, of this command, and the public ones. */
export function writeTrusted(file: string, certificate: string, further: string | undefined): void {
  const more = further === undefined ? '' : readFileSync(further, 'utf8');
  writeFileSync(file, [certificate, more, ...rootCertificates].join('\n'));
}

const proxyNames = ['HTTPS_PROXY', 'https_proxy'] as const;
const trustNames = ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'REQUESTS_CA_BUNDLE'] as const;
const direct = '127.0.0.1,localhost';

/** Variables with which a program's requests pass through the recorder. */
export function recordedVariables(url: string, trusted: string): Record<string, string> {
  return {
    ...Object.fromEntries(proxyNames.map((name) => [name, url])),
    ...Object.fromEntries(trustNames.map((name) => [name, trusted])),
    ...{ NO_PROXY: direct, no_proxy: direct },
  };
}

/** Returns an environment without the local cloud that stands in for Azure, so that another one can be started. */
export function outside(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const inside = new Set<string>([
    ...[...proxyNames, ...trustNames, 'NO_PROXY', 'no_proxy'],
    ...[ownVariables.configFile, ownVariables.stackFile, ownVariables.pulumi],
  ]);
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !inside.has(name) && !/^(PULUMI|ARM|AZURE)_/.test(name)),
  );
}
