import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import * as z from 'zod';
import { ADMINISTRATOR_CLIENT_ID, SUBSCRIPTION_ID, TENANT_ID } from '../identity';
import { writeWhole } from '../writeWhole';
import { commandLine } from '../project';

const schema = z.strictObject({
  tenantId: z.string(),
  subscriptionId: z.string(),
  clientId: z.string(),
  clientSecret: z.string(),
  pulumiPassphrase: z.string(),
});

/** The credentials of the local cloud's administrator, and the passphrase for Pulumi's secrets. */
export type Credentials = z.infer<typeof schema>;

/** Reads `credentials.json`. If it is missing, creates it first, readable by its owner only. */
export function openCredentials(file: string): Credentials {
  if (!existsSync(file)) {
    const created: Credentials = {
      tenantId: TENANT_ID,
      subscriptionId: SUBSCRIPTION_ID,
      clientId: ADMINISTRATOR_CLIENT_ID,
      clientSecret: randomBytes(30).toString('base64url'),
      pulumiPassphrase: randomBytes(30).toString('base64url'),
    };
    writeWhole(file, `${JSON.stringify(created, undefined, 2)}\n`);
  }
  try {
    return schema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    throw new Error(
      `${file} is damaged. Without it, nothing can access the local cloud's state: run ${commandLine('clean')}. ${error instanceof Error ? error.message : ''}`,
    );
  }
}

const digest = (secret: string, salt: string): Buffer =>
  createHash('sha256').update(`${salt}:${secret}`).digest();

/** A salted hash of a client secret. Client secrets are long and random, so one round is enough. */
export function hashSecret(secret: string): { salt: string; hash: string } {
  const salt = randomBytes(16).toString('hex');
  return { salt, hash: digest(secret, salt).toString('hex') };
}

export function secretMatches(secret: string, stored: { salt: string; hash: string }): boolean {
  return timingSafeEqual(digest(secret, stored.salt), Buffer.from(stored.hash, 'hex'));
}
