import { randomUUID } from 'node:crypto';
import { ADMINISTRATOR_OBJECT_ID } from '../../../../identity';
import { revealAll, type Properties } from '../../../../plugins/protocol';
import { textAt } from '../../../../plugins/resources/propertyPath';
import shapes from '../../../../plugins/azuread/shapes/shapes.json';
import { types } from '../../../../plugins/azuread/types';
import { selfSigned } from '../../../support/certificates';
import { withGraphPlugin, type Made } from './graphPlugin';

// Proves that the plugin, as a process with gRPC requests, performs the engine's operations on the local Microsoft
// Graph for each of its types, with Graph's public name and its own client.
const graph = withGraphPlugin();

const trust = (applicationId: string): Properties => ({
  applicationId,
  displayName: 'shop-orders',
  issuer: 'https://issuer.example/one/',
  subject: 'system:serviceaccount:shop:orders',
  audiences: ['openshift'],
});

interface Case {
  type: string;
  inputs: () => Promise<Properties>;
  id: RegExp;
  /** A change without a replacement. @default the type has none */
  change?: Properties;
  /** A change with one. */
  replace?: Properties;
  /** Inputs that cannot be read, so that an import lacks them. */
  writeOnly?: readonly string[];
}

const guid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const cases: Case[] = [
  {
    type: types.application,
    inputs: () =>
      Promise.resolve({
        displayName: `app-${randomUUID()}`,
        description: 'one',
        tags: ['b', 'a', 'HideApp'],
      }),
    id: new RegExp(`^/applications/${guid}$`),
    change: { description: 'two', notes: 'n', tags: ['a'], identifierUris: [`api://${randomUUID()}`] },
  },
  {
    type: types.servicePrincipal,
    inputs: async () => ({ clientId: textAt((await graph.application()).state, 'clientId'), notes: 'n' }),
    id: new RegExp(`^/servicePrincipals/${guid}$`),
    change: { accountEnabled: false, description: 'd' },
    replace: { clientId: randomUUID() },
  },
  {
    type: types.certificate,
    inputs: async () => ({
      applicationId: (await graph.application()).id,
      type: 'AsymmetricX509Cert',
      value: (await selfSigned()).certificate,
    }),
    id: new RegExp(`^${guid}/certificate/${guid}$`),
    replace: { value: 'another' },
    // As with the official provider: the encoding is none of the service's.
    writeOnly: ['value', 'encoding'],
  },
  {
    type: types.password,
    inputs: async () => ({ applicationId: (await graph.application()).id, displayName: 'p' }),
    id: new RegExp(`^${guid}/password/${guid}$`),
    replace: { displayName: 'q' },
  },
  {
    type: types.group,
    inputs: () =>
      Promise.resolve({
        displayName: `group-${randomUUID()}`,
        description: 'one',
        securityEnabled: true,
        members: [graph.cloud.principal('first').objectId],
      }),
    id: new RegExp(`^/groups/${guid}$`),
    change: { description: 'two', displayName: `group-${randomUUID()}`, members: [ADMINISTRATOR_OBJECT_ID] },
    replace: { mailNickname: 'another' },
  },
  {
    type: types.groupMember,
    inputs: async () => ({
      groupObjectId: textAt((await graph.group()).state, 'objectId'),
      memberObjectId: graph.cloud.principal('member').objectId,
    }),
    id: new RegExp(`^${guid}/member/${guid}$`),
    replace: { memberObjectId: randomUUID() },
  },
  {
    type: types.federatedCredential,
    inputs: async () => trust((await graph.application()).id),
    id: new RegExp(`^${guid}/federatedIdentityCredential/${guid}$`),
    change: { subject: 'system:serviceaccount:shop:billing', description: 'd' },
    replace: { displayName: 'another' },
  },
];

describe.each(cases)('$type', ({ type, inputs: validInputs, id: form, change, replace, writeOnly = [] }) => {
  let created: Made;
  beforeAll(async () => (created = await graph.make(type, await validInputs())));

  const required = (): string[] => {
    const outputs = Object.entries(shapes.resources[type as keyof typeof shapes.resources].outputs);
    return outputs.filter(([, notation]) => notation.endsWith('!')).map(([name]) => name);
  };

  it('is created with the official id and every output that is always present', () => {
    expect(created.id).toMatch(form);
    const missing = type === types.certificate ? ['endDateRelative'] : [];
    const names = Object.keys(created.state).filter((name) => !missing.includes(name));
    expect(names).toEqual(expect.arrayContaining(required()));
  });

  it('is the same in a second update, and after a refresh', async () => {
    const { id, state, inputs } = created;
    expect(await graph.process.diff(type, id, state, inputs, inputs)).toMatchObject({
      diffsList: [],
      replacesList: [],
    });
    const read = await graph.process.read(type, id, state, inputs);
    expect(read).toEqual({ id, state, inputs });
  });

  it('is imported by its id, after which the program changes nothing', async () => {
    const { id, inputs } = created;
    const read = await graph.process.read(type, id);
    expect(Object.keys(read?.state ?? {})).toEqual(expect.arrayContaining(required()));
    const diff = await graph.process.diff(type, id, read?.state ?? {}, read?.inputs ?? {}, inputs);
    expect(diff.diffsList.filter((name) => !writeOnly.includes(name))).toEqual([]);
  });

  it('is updated in place, or replaced, by the official rules', async () => {
    const { id, state, inputs } = created;
    if (replace !== undefined) {
      const diff = await graph.process.diff(type, id, state, inputs, { ...inputs, ...replace });
      expect(diff.replacesList).toEqual(Object.keys(replace));
      expect(diff.deletebeforereplace).toBe(false);
    }
    if (change === undefined) return;
    const news = { ...inputs, ...change };
    const diff = await graph.process.diff(type, id, state, inputs, news);
    expect({ changed: diff.diffsList.sort(), replaced: diff.replacesList }).toEqual({
      changed: Object.keys(change).sort(),
      replaced: [],
    });
    const updated = await graph.process.update(type, id, state, inputs, news);
    expect(revealAll(updated)).toMatchObject(change);
    expect(await graph.process.read(type, id, updated, news)).toEqual({ id, state: updated, inputs: news });
    created = { id, state: updated, inputs: news };
  });

  it('is previewed without a request', async () => {
    graph.cloud.azure.control.faults.add({
      url: /^https:\/\/graph\.microsoft\.com/,
      reply: { status: 403, code: 'Authorization_RequestDenied', message: 'refused by the test' },
    });
    const { state } = await graph.process.create(type, created.inputs, true);
    expect(Object.keys(state)).toEqual(expect.arrayContaining(required()));
    await expect(graph.process.create(type, created.inputs)).rejects.toThrow(/refused by the test/);
  });

  it('is deleted, after which a refresh does not find it', async () => {
    await graph.process.delete(type, created.id, created.state);
    expect(await graph.process.read(type, created.id, created.state, created.inputs)).toBeUndefined();
  });

  it('refuses an id of another form', async () => {
    await expect(graph.process.read(type, 'x')).rejects.toThrow(/'x' is not an id of the form/);
  });
});
