import { defaultAudience } from '../../components/identity/subjects';
import { secretsAlwaysReadBy, secretsElsewhere, storedCredentialOf } from '../plan';
import type { Check } from './context';

/**
 * With `delivery: files` and `environment`, the Secrets Store driver reads the vault before a pod starts, with a token of the
 * pod's service account.
 */
export const deliveryChecks: readonly Check[] = [
  function* (settings) {
    for (const application of settings.applications) {
      if (application.delivery === 'application') continue;
      const path = [...application.path, 'delivery'];
      if (secretsAlwaysReadBy(settings.groups, application).length === 0)
        yield {
          path,
          what: 'has nothing to deliver',
          allowed: 'application, because no secrets are named',
          hint: 'Name `secrets`, or remove `delivery`.',
        };
      const { signIn, identity, audience = settings.audience, accessWindows } = application;
      const isStored = storedCredentialOf(identity) !== undefined;
      const byToken = 'the Secrets Store driver signs in with a token of the service account';
      const refused: readonly [boolean, string, string, string][] = [
        [isStored, 'a stored credential', byToken, 'write `identity: servicePrincipal`'],
        [signIn === 'podIdentity', '`signIn: podIdentity`', byToken, 'set `signIn: both`'],
        [
          // With a stored credential, an audience is refused as such.
          !isStored && audience !== defaultAudience,
          `the audience ${JSON.stringify(audience)}`,
          'the Secrets Store driver requests its own tokens',
          `set \`audience: ${defaultAudience}\` on the application`,
        ],
        [
          accessWindows.some(({ secrets }) => secrets.length > 0),
          'secrets in `accessWindows`',
          'pods would wait for the window',
          'move the secrets to `secrets`',
        ],
        [
          secretsElsewhere(application).length > 0,
          '`connectionVault`',
          "the Secrets Store driver reads only the application's vault",
          'remove `connectionVault` from the dependency',
        ],
      ];
      for (const [isSet, setting, why, hint] of refused)
        if (isSet)
          yield {
            path,
            what: `is not possible with ${setting}: ${why}`,
            allowed: 'application',
            hint: `Set \`delivery: application\`, or ${hint}.`,
          };
    }
  },
];
