import { currentCloud } from '../../components/azure/clouds';
import { classifyFailure } from '../../verification/failure';
import { addressOf, credential } from '../azureReader';
import { claimsOf } from '../claims';
import { UserError } from '../userError';

/**
 * Signs in as the pipeline, before anything is changed.
 * @throws UserError with the claims of its token, for comparison
 */
export async function checkSignIn(env: NodeJS.ProcessEnv, token: string): Promise<void> {
  const cloud = currentCloud(undefined, env);
  const scope = `${addressOf(cloud, 'resourceManager')}/.default`;
  try {
    await credential(env, cloud.operator?.authorityHost).getToken(scope);
  } catch (error) {
    const { kind, text } = classifyFailure(error);
    const { iss, sub, aud } = shownClaims(token);
    throw new UserError(
      `The pipeline cannot sign in as ${env.ARM_CLIENT_ID ?? ''}: ${text}. Its token has issuer ${iss}, subject ${sub} and audience ${aud}.`,
      kind === 'mismatch'
        ? 'Trust exactly this issuer and subject, in the same letter case, in `trusts` of that identity in the bootstrap/ stack, and run `pulumi -C bootstrap up --policy-pack ../policy` as a person.'
        : 'A new identity or credential takes minutes to take effect: run the step again. Otherwise, compare ARM_CLIENT_ID with the output `clients` of bootstrap/.',
    );
  }
}

/** Returns the claims of the token that may be shown. */
function shownClaims(token: string): Record<'iss' | 'sub' | 'aud', string> {
  const claims = claimsOf(token);
  const text = (name: string) => JSON.stringify(claims[name] ?? '(none)').replaceAll('"', '');
  return { iss: text('iss'), sub: text('sub'), aud: text('aud') };
}
