import * as z from 'zod';

/** One entry of Entra's audit record of token requests. */
export const tokenRequest = z.object({
  time: z.string(),
  clientId: z.string(),
  displayName: z.string().optional(),
  grant: z.string(),
  resource: z.string().optional(),
  scope: z.string().optional(),
  outcome: z.string(),
  error: z.number().optional(),
  subject: z.string().optional(),
  issuer: z.string().optional(),
  credential: z.string().optional(),
  tokenId: z.string().optional(),
});
export type TokenRequest = z.infer<typeof tokenRequest>;

/** Returns one line per request: time, requester, service account, resource, and result. */
export function renderTokenRequests(requests: readonly TokenRequest[]): string {
  if (requests.length === 0) return 'No token has been requested yet.\n';
  const lines = requests.map((request) => [
    request.time,
    request.displayName ?? request.clientId,
    request.subject ?? `by ${request.grant}`,
    request.resource ?? request.scope ?? '',
    request.error === undefined ? request.outcome : `${request.outcome}: AADSTS${request.error}`,
  ]);
  const widths = [0, 1, 2, 3].map((column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map((line) => `${line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}\n`)
    .join('');
}
