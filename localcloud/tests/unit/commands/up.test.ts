import { verificationFailed } from '../../../commands/up';
import { commandLine } from '../../../project';

describe('up, when its verification fails', () => {
  it('says how to restore what is missing', () => {
    const error = verificationFailed(42, { name: 'local' });
    expect(error.message).toBe('The environment is up, but its verification failed (42 s).');
    expect(error.hint).toContain(
      `To restore changed or missing resources, run ${commandLine('pulumi up --refresh')} (or ${commandLine('pulumi refresh')}, then ${commandLine('up')}).`,
    );
    expect(error.hint).toContain(commandLine('verify --stack local'));
  });

  it('names the stack in each command', () => {
    const { hint } = verificationFailed(42, { name: 'dev' });
    expect(hint).toContain(commandLine('pulumi --stack dev up --refresh'));
    expect(hint).toContain(`then ${commandLine('up --stack dev')}`);
    expect(hint).toContain(commandLine('verify --stack dev'));
  });
});
