import { randomUUID } from 'node:crypto';
import { ADMINISTRATOR_OBJECT_ID } from '../../../../identity';
import shapes from '../../../../plugins/azuread/shapes/shapes.json';
import { types } from '../../../../plugins/azuread/types';
import { textAt } from '../../../../plugins/resources/propertyPath';
import { withGraphPlugin } from './graphPlugin';

// Proves that the functions of the npm package find what is in the local Microsoft Graph.
const graph = withGraphPlugin();

describe('functions', () => {
  it('tell who calls', async () => {
    const { tenantId, clientId } = graph.cloud.azure.credentials;
    const objectId = ADMINISTRATOR_OBJECT_ID;
    expect(await graph.process.invoke('azuread:index/getClientConfig:getClientConfig', {})).toEqual({
      tenantId,
      clientId,
      objectId,
      id: `${tenantId}-${clientId}-${objectId}`,
    });
  });

  it('find an application by each argument', async () => {
    const token = 'azuread:index/getApplication:getApplication';
    const { id, state } = await graph.application({ tags: ['HideApp'] });
    const expected = { id, objectId: state['objectId'], clientId: state['clientId'] };
    for (const argument of ['objectId', 'clientId', 'displayName']) {
      const found = await graph.process.invoke(token, { [argument]: textAt(state, argument) });
      expect(found).toMatchObject({ ...expected, featureTags: [{ hide: true }], owners: [] });
      expect(Object.keys(found).sort()).toEqual(
        expect.arrayContaining(
          Object.keys(shapes.functions[token].outputs).filter((n) => n !== 'identifierUri'),
        ),
      );
    }
    await expect(graph.process.invoke(token, { clientId: randomUUID() })).rejects.toThrow(
      /no object in applications has the clientId/,
    );
    await expect(graph.process.invoke(token, {})).rejects.toThrow(
      /exactly one of objectId, clientId, displayName/,
    );
  });

  it('find a group by each argument, and its members through other groups', async () => {
    const token = 'azuread:index/getGroup:getGroup';
    const { objectId } = graph.cloud.principal('inner-member');
    const inner = textAt((await graph.group({ members: [objectId] })).state, 'objectId');
    const { id, state } = await graph.group({ members: [inner] });
    for (const argument of ['objectId', 'displayName', 'mailNickname']) {
      const args = { [argument]: textAt(state, argument), securityEnabled: true, mailEnabled: false };
      const found = await graph.process.invoke(token, args);
      expect(found).toMatchObject({ id, members: [inner], owners: [ADMINISTRATOR_OBJECT_ID] });
      expect(Object.keys(found)).toEqual(
        expect.arrayContaining(
          Object.keys(shapes.functions[token].outputs).filter((n) => n !== 'includeTransitiveMembers'),
        ),
      );
    }
    const args = { objectId: textAt(state, 'objectId'), includeTransitiveMembers: true };
    const { members } = await graph.process.invoke(token, args);
    expect(members).toEqual([inner, objectId].sort());
    await expect(graph.process.invoke(token, { ...args, mailEnabled: true })).rejects.toThrow(
      /has mailEnabled false, not true/,
    );
    const { displayName = '' } = state;
    await expect(graph.process.invoke(token, { displayName, securityEnabled: false })).rejects.toThrow(
      /no object in groups has the displayName/,
    );
  });

  it('find the service principal of an application by each argument', async () => {
    const token = 'azuread:index/getServicePrincipal:getServicePrincipal';
    const { state } = await graph.application();
    const clientId = textAt(state, 'clientId');
    const principal = await graph.make(types.servicePrincipal, { clientId });
    const { id } = principal;
    for (const argument of ['objectId', 'clientId', 'displayName']) {
      const found = await graph.process.invoke(token, { [argument]: textAt(principal.state, argument) });
      expect(found).toMatchObject({ id, clientId, type: 'Application' });
      expect(Object.keys(found).sort()).toEqual(Object.keys(shapes.functions[token].outputs).sort());
    }
    await expect(graph.process.invoke(token, { objectId: randomUUID() })).rejects.toThrow(
      /no object in servicePrincipals has the objectId/,
    );
  });
});
