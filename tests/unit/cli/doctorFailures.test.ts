import failures from '../../../cli/doctor/failures.json';
import { explain, plain, hintFor } from '../../../cli/doctor/failures';
import { refusalOf } from './refusal';

const explained = (asked: string) => explain(asked).map(({ failure }) => plain(failure));

describe('a known failure', () => {
  // Codes of Entra, Key Vault and the resource manager that a sign-in or a deployment meets.
  it.each([
    ...[
      '700211',
      '700212',
      '700213',
      '7002138',
      '70021',
      '700024',
      '50013',
      '700016',
      '7000215',
      '90061',
    ].map((number) => [`AADSTS${number}`]),
    ['ForbiddenByRbac'],
    ['AccessDenied'],
    ['ForbiddenByConnection'],
    ['SecretNotFound'],
    ['ObjectIsDeletedButRecoverable'],
    ['ConcurrentFederatedIdentityCredentialsWritesForSingleManagedIdentity'],
    ['PrincipalNotFound'],
    ['RoleAssignmentUpdateNotPermitted'],
    ['429'],
    ['Issuer and subject combination already exists for this Managed Identity.'],
    ['Federated identity credentials must have exactly one audience.'],
    ["The parent user-assigned identity doesn't exist."],
    ['AZURE_FEDERATED_TOKEN_FILE'],
    ['FailedMount'],
    ['azure.workload.identity/use'],
    ['pods are refused'],
    ['AKSIdentityBinding'],
    ['IdentityBindingPreview'],
    // What goes wrong with a pod.
    ['azure.workload.identity/skip-containers'],
    ['azure.workload.identity/client-id'],
    ['azure.workload.identity/use-identity-binding'],
    ['fails closed'],
    ['audience of identity bindings only'],
    ['tokenRequests'],
    ['VNet integration'],
    ['404'],
  ])('is explained: %s', (asked) => {
    const [first] = explain(asked);
    expect(first).toMatchObject({
      cause: expect.stringMatching(/\w/) as string,
      hint: expect.stringMatching(/\w/) as string,
    });
  });

  // A word of the cause shows that each code has its own.
  it.each([
    ['700211', 'issuer'],
    ['700212', 'audience'],
    ['700213', 'subject'],
    ['7002138', 'upper and lower case'],
    ['70021', 'no credential matches'],
    ['700024', 'token'],
    ['50013', 'signature'],
    ['700016', 'no such application'],
    ['7000215', 'secret'],
    ['90061', 'discovery document'],
  ])('has a row of its own: AADSTS%s', (number, word) => {
    const [first] = explain(number);
    expect(first?.failure).toContain(`AADSTS${number}`);
    expect(first?.failure).not.toContain(' ');
    expect((first?.cause ?? '').toLowerCase()).toContain(word);
  });

  it.each([
    ['its number alone', '700212', 'AADSTS700212'],
    ['a message with it', 'AADSTS700213: No matching federated identity record found', 'AADSTS700213'],
    ['another letter case', 'forbiddenbyrbac', '403 `ForbiddenByRbac`'],
    [
      'a message of the resource manager',
      'Code="AuthorizationFailed" Message="The client"',
      '`AuthorizationFailed`',
    ],
    [
      'its second code',
      'Status=403 Code="RequestDisallowedByPolicy"',
      '`RequestDisallowedByPolicy`, `ScopeLocked`',
    ],
    [
      'a message with its status',
      '409 ObjectIsDeletedButRecoverable: Secret orders-db',
      '409 `ObjectIsDeletedButRecoverable`',
    ],
    [
      'an event of a pod',
      'Warning FailedMount MountVolume.SetUp failed',
      'files of a secret are missing, `FailedMount`',
    ],
    [
      'a message without a code',
      'failed calling webhook "webhook.cert-manager.io"',
      'cert-manager does not answer',
    ],
    [
      'the reason in a message',
      'Internal error occurred: failed calling webhook "default.v20250601.storageaccounts.storage.azure.com": failed to call webhook: Post "https://azureserviceoperator-webhook-service.azureserviceoperator-system.svc:443/mutate?timeout=10s": tls: failed to verify certificate: x509: certificate signed by unknown authority',
      'failed calling webhook …: x509: certificate signed by unknown authority',
    ],
    ['a message of the engine', 'error: failed to load checkpoint: EOF', 'failed to load checkpoint: EOF'],
    [
      'a message with a name',
      "400 Federated Identity Credential name 'a' is invalid.",
      "`Federated identity credentials must have exactly one audience.`, `… name '…' is invalid.` (400)",
    ],
    ['a code of AKS', 'Code="ErrCode_InsufficientVCPUQuota"', '`Quota…`'],
    ['the words of a code', 'no matching federated identity record found', 'AADSTS70021'],
    ['the code beside its status', 'Azure answered 429 TooManyRequests to GET /x.', '429 `TooManyRequests`'],
    ['a setting in a message', 'error: crdPattern is empty', "the operator's webhooks do not answer"],
    ['a code that begins like it', 'QuotaExceeded', '`Quota…`'],
    [
      'a code that ends like it',
      'VaultAlreadyTaken',
      '`…AlreadyTaken`, `…NameUnavailable`, `VaultAlreadyExists`',
    ],
  ])('is found by %s', (_, asked, expected) => {
    expect(explained(asked)[0]).toBe(expected);
  });

  it('is not another one whose number begins like it', () => {
    expect(explained('AADSTS70021')).toEqual(['AADSTS70021']);
  });

  it.each([
    ['70002', 'Look it up at https://login.microsoftonline.com/error?code=70002.'],
    ['AADSTS', 'Name a code'],
    ['AADSTS99999', 'Look it up at https://login.microsoftonline.com/error?code=99999.'],
    ['ForbidenByRbac', 'Did you mean ForbiddenByRbac?'],
    ['nothing like it', 'Name a code'],
    ['', 'Name a code'],
  ])('is not invented for %p', async (asked, hint) => {
    expect(await refusalOf(() => explain(asked))).toContain(
      `${JSON.stringify(asked)} is not among the known failures.\n→ ${hint}`,
    );
  });
});

it('each hint stands by itself, since a terminal shows it without the rows around it', () => {
  const rows = Object.values(failures).flatMap((section) => section.failures);
  const dependent = rows.filter((row) => /\bthe same$|^the same\b|\babove\b|\bbelow\b/.test(row.hint));
  expect(dependent).toEqual([]);
});

it.each([
  ['does not match: … (AADSTS700213)', 'the pod runs under another namespace'],
  ['403 ForbiddenByConnection', 'docs/vaults.md#restrict-network-access'],
  ['Azure answered 409 MissingSubscriptionRegistration to PUT /x.', 'register it once'],
])('a message with a code has its hint: %s', (message, hint) => {
  expect(hintFor(message)).toContain(hint);
});

it('a message without a known code has none', () => {
  expect(hintFor('it is broken')).toBeUndefined();
  expect(hintFor('AADSTS99999')).toBeUndefined();
});

it('links and emphasis become text', () => {
  expect(plain('**a** and _b_: [c](d.md#e), [d.md](d.md), `f_g_h`')).toBe(
    'a and b: c (docs/d.md#e), docs/d.md, `f_g_h`',
  );
});
