import { verificationFailed } from '../../../commands/up';

describe('up, when its verification fails', () => {
  it('says how to restore what is missing', () => {
    const error = verificationFailed(42, { name: 'local' });
    expect(error.message).toBe('The environment is up, but its verification failed (42 s).');
    expect(error.hint).toContain(
      'To restore changed or missing resources, run `npx aks-wi pulumi up --refresh` (or `npx aks-wi pulumi refresh`, then `npx aks-wi up`).',
    );
    expect(error.hint).toContain('`npx aks-wi verify --stack local`');
  });

  it('names the stack in each command', () => {
    const { hint } = verificationFailed(42, { name: 'dev' });
    expect(hint).toContain('`npx aks-wi pulumi --stack dev up --refresh`');
    expect(hint).toContain('then `npx aks-wi up --stack dev`');
    expect(hint).toContain('`npx aks-wi verify --stack dev`');
  });
});
