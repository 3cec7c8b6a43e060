import { notesOf } from '../../../verification/unlisted';

describe('what could not be listed', () => {
  it('is said a line for each reason', () => {
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
    expect(notesOf({ secrets, trusts, signIns, members, grants, roles })).toEqual([
      'Only the secrets that the stack names were tried in kv-a, kv-b: what else is there could not be listed: no credential',
      'Only the secrets that the stack names were tried in kv-c: what else is there could not be listed: too slow',
      'What else id-a, id-b may trust could not be listed: no answer',
      'By what else id-hc1-ingress may sign in could not be listed: no answer',
      'The members of readers could not be listed: no answer',
      'What the roles of id-connections allow could not be read: no answer',
      'Grants of others could not be listed in vault kv-b: no answer',
    ]);
  });

  it('is nothing where everything was', () => {
    expect(notesOf({ secrets: [], trusts: [], signIns: [], members: [], grants: [], roles: [] })).toEqual([]);
  });
});
