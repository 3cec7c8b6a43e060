import { parseStackOutputs } from '../../../cli/stackOutputs';
import { UserError } from '../../../cli/userError';
import { twoClusters } from '../verification/outputs.fixture';

const caught = (run: () => unknown): UserError => {
  try {
    run();
  } catch (error) {
    if (error instanceof UserError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
};

describe('the outputs of a stack', () => {
  it('are taken as they are when the program wrote them', () => {
    const trusts = [{ issuer: 'https://issuer/', subject: 'system:serviceaccount:a:b', audience: 'c' }];
    const identities = [{ cluster: 'aks-1', name: 'id-aks-1', id: '/subscriptions/s/…', trusts }];
    const outputs = { ...twoClusters(), identities };
    expect(parseStackOutputs('dev', JSON.stringify(outputs))).toEqual(outputs);
  });

  it('may have more than this version knows', () => {
    const text = JSON.stringify({ ...twoClusters(), added: 1 });
    expect(parseStackOutputs('dev', text).workloads).toHaveLength(4);
  });

  it.each([['{}'], ['[]'], ['{"workloads":[{"cluster":1}]}']])(
    'of another program are refused with the stack and a hint: %s',
    (text) => {
      const error = caught(() => parseStackOutputs('dev', text));
      expect(error.message).toContain("'dev'");
      expect(error.message).toContain('not from this program');
      expect(error.hint).toContain('pulumi up --stack dev');
    },
  );

  it('never appear in the message', () => {
    const outputs = { ...twoClusters(), kubeconfigs: { 'aks-1': ['hidden-token'] } };
    const error = caught(() => parseStackOutputs('dev', JSON.stringify(outputs)));
    expect(error.message).toContain('kubeconfigs.aks-1');
    expect(error.message).not.toContain('hidden-token');
  });
});
