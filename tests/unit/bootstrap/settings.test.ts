import { parse } from 'yaml';
import { readSettings } from '../../../bootstrap/settings';
import { bootstrapExample, editedBootstrapExample } from '../../support/bootstrapExample';

/** The configuration as the engine hands it on: texts as they are, all else as JSON. */
const configOf = (settings: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(settings).map(([key, value]) => [
      key.includes(':') ? key : `aks-workload-identity-bootstrap:${key}`,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  );
const trust = { name: 'github', gitHub: { repository: 'contoso/identities', environment: 'dev' } };
const identity = { name: 'id-pipeline', resourceGroups: ['rg-dev'], trusts: [trust] };
const good = { location: 'westeurope', resourceGroup: 'rg-pipelines', identities: [identity] };

describe('the settings of bootstrap', () => {
  const read = (text: string) =>
    readSettings('pipelines', configOf((parse(text) as { config: Record<string, unknown> }).config));

  function refusalIn(text: string): string {
    try {
      read(text);
    } catch (error) {
      return (error as Error).message;
    }
    return '';
  }

  it('are valid in the file of the repository once it is edited, with an identity for each environment of the pipelines', () => {
    const { identities } = read(editedBootstrapExample());
    expect(identities.map(({ name, access }) => [name, access])).toEqual([
      ['id-pipeline-preview-dev', 'preview'],
      ['id-pipeline-preview-prod', 'preview'],
      ['id-pipeline-dev', 'deploy'],
      ['id-pipeline-prod', 'deploy'],
    ]);
    expect(identities.map(({ trusts }) => trusts[0]?.gitHub?.environment)).toEqual([
      'preview-dev',
      'preview-prod',
      'dev',
      'prod',
    ]);
  });

  it('are refused where the file of the repository is not edited', () => {
    const message = refusalIn(bootstrapExample());
    expect(message).toContain('Pulumi.pipelines.yaml has 8 errors; nothing was changed.');
    for (const index of [0, 1, 2, 3])
      expect(message).toContain(
        `identities[${index}].trusts[0].gitHub.repository: "owner/name" is a placeholder. Set your repository, as GitHub shows it, or remove the trust.`,
      );
    expect(message).toContain(
      'identities[2].trusts[1].serviceConnection.subject: "edit-me-dev" is a placeholder. Set the subject that the service connection shows, or remove the trust.',
    );
    // GitHub knows no case.
    expect(refusalIn(editedBootstrapExample().replaceAll('contoso/identities,', 'Owner/Name,'))).toContain(
      '"Owner/Name" is a placeholder',
    );
  });

  it('have defaults, and leave the keys of providers alone', () => {
    const settings = readSettings('pipelines', configOf({ ...good, 'azure-native:environment': 'public' }));
    expect(settings).toMatchObject({
      tags: {},
      identities: [{ access: 'deploy', assignableToGroups: false, trusts: [trust], roles: [] }],
    });
  });

  it('take assignable roles by the names of the program and of Azure, and by ids', () => {
    const guid = 'ffffffff-0000-4000-8000-000000000001';
    const assignableRoles = ['reader', 'Storage Blob Data Reader', guid.toUpperCase()];
    const [read] = readSettings(
      'pipelines',
      configOf({ ...good, identities: [{ ...identity, assignableRoles }] }),
    ).identities;
    expect(read?.assignableRoles).toEqual([
      'acdd72a7-3385-48ef-bd42-f606fba81ae7',
      '2a2b9908-6ea1-4ae2-8e65-a410df84e7d1',
      guid,
    ]);
  });

  it.each<[string, object, RegExp]>([
    ['a region that is missing', { location: undefined }, /bootstrap:location: /],
    ['an unknown key', { identity: [] }, /"identity"/],
    [
      'a trust of both kinds',
      {
        identities: [
          { ...identity, trusts: [{ ...trust, serviceConnection: { issuer: 'https://i', subject: 's' } }] },
        ],
      },
      /identities\[0\]\.trusts\[0\]: Allowed: exactly one of gitHub, serviceConnection/,
    ],
    [
      'a repository without owner',
      {
        identities: [{ ...identity, trusts: [{ name: 'github', gitHub: { repository: 'x' } }] }],
      },
      /trusts\[0\]\.gitHub\.repository: Allowed: owner\/name/,
    ],
    [
      'an issuer without https',
      {
        identities: [
          {
            ...identity,
            trusts: [{ name: 'devops', serviceConnection: { issuer: 'http://i', subject: 's' } }],
          },
        ],
      },
      /serviceConnection\.issuer: /,
    ],
    [
      'an unknown role',
      { identities: [{ ...identity, assignableRoles: ['Owner'] }] },
      /assignableRoles\[0\]: /,
    ],
    [
      'a role elsewhere that gives access',
      { identities: [{ ...identity, roles: [{ role: 'rbacAdministrator', scope: '/subscriptions/s' }] }] },
      /roles\[0\]\.role: /,
    ],
    [
      'an invalid scope',
      { identities: [{ ...identity, roles: [{ role: 'reader', scope: 'rg-state' }] }] },
      /roles\[0\]\.scope: Allowed: \/subscriptions\/<id>\/…/,
    ],
  ])('are refused with %s', (_, change, message) => {
    expect(() => readSettings('pipelines', configOf({ ...good, ...change }))).toThrow(message);
  });
});
