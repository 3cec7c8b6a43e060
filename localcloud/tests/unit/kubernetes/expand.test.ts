import fc from 'fast-check';
import { expand } from '../../../kubernetes/agent/expand';

describe('expansion of $(NAME)', () => {
  it.each([
    ['--ns=$(NS)', '--ns=orders'],
    ['$(NS)/$(NS)', 'orders/orders'],
    ['$(UNKNOWN)', '$(UNKNOWN)'],
    ['$$(NS)', '$(NS)'],
    ['$$$(NS)', '$orders'],
    ['$NS ${NS} $', '$NS ${NS} $'],
    ['$(toString)', '$(toString)'],
    ['$(EMPTY)', ''],
  ])('%s becomes %s', (text, expected) => {
    expect(expand(text, { NS: 'orders', EMPTY: '' })).toBe(expected);
  });

  it('does not expand references in values', () => {
    expect(expand('$(A)', { A: '$(B)', B: 'x' })).toBe('$(B)');
  });

  it('leaves text without a dollar unchanged', () => {
    fc.assert(
      fc.property(
        fc.string().filter((text) => !text.includes('$')),
        (text) => {
          expect(expand(text, { A: 'x' })).toBe(text);
        },
      ),
    );
  });
});
