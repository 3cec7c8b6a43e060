import { notesOf } from '../../../verification/unlisted';

describe('what could not be listed', () => {
  it('has a line for each reason', () => {
    const secrets = [
      { name: 'kv-a', reason: 'no credential' },
      { name: 'kv-b', reason: 'no credential' },
      { name: 'kv-c', reason: 'too slow' },
    ];
    const trusts = ['id-a', 'id-b'].map((name) => ({ name, reason: 'no answer' }));
    const grants = [{ name: 'vault kv-b', reason: 'no answer' }];
    const signIns = [{ name: 'id-hc1-ingress', reason: 'no answer' }];
    const members = [{ name: 'readers', reason: 'no answer' }];
    const roles = [{ name: 'id-connections', reason: 'no answer' }];
    const bindings = [{ name: 'of id-a on aks-1', reason: 'no answer' }];
    expect(notesOf({ secrets, trusts, bindings, signIns, members, grants, roles })).toEqual([
      'Only the secrets that the stack names were checked in kv-a, kv-b: the others could not be listed: no credential',
      'Only the secrets that the stack names were checked in kv-c: the others could not be listed: too slow',
      'Federated credentials of id-a, id-b could not be listed: no answer',
      'The identity bindings of id-a on aks-1 could not be read: no answer',
      'Credentials of id-hc1-ingress could not be listed: no answer',
      'The members of readers could not be listed: no answer',
      'The actions of the roles of id-connections could not be read: no answer',
      'Grants of others could not be listed in vault kv-b: no answer',
    ]);
  });

  it('is nothing where everything was', () => {
    const none = { secrets: [], trusts: [], bindings: [], signIns: [], members: [], grants: [], roles: [] };
    expect(notesOf(none)).toEqual([]);
  });
});
