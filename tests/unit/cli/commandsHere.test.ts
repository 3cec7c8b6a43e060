import { commandsHere } from '../../../components/resource/commandsHere';
import { reportError, UserError } from '../../../cli/userError';

const local = 'npx aks-wi pulumi --stack dev';

describe('a command of Pulumi in a message', () => {
  it.each([
    ['Run `pulumi up --refresh --stack dev`.', `Run \`${local} up --refresh\`.`],
    [
      "`pulumi config set --secret --path 'secretValues.a'`",
      `\`${local} config set --secret --path 'secretValues.a'\``,
    ],
    ['again, then pulumi up --stack dev', `again, then ${local} up`],
    ['{"takeBack":"pulumi up --stack dev"}', `{"takeBack":"${local} up"}`],
    ['pulumi up failed; `npx aks-wi pulumi up`', 'pulumi up failed; `npx aks-wi pulumi up`'],
  ])('is that of the local cloud there: %s', (text, expected) => {
    expect(commandsHere(text, local)).toBe(expected);
    expect(commandsHere(text, undefined)).toBe(text);
  });

  it('is that in errors, with the variable that the local cloud sets', () => {
    process.env.AKS_WI_PULUMI = local;
    try {
      const written: string[] = [];
      reportError(new UserError('It is gone.', '`pulumi up` makes it again.'), (text) => written.push(text));
      expect(written.join('')).toContain(`→ \`${local} up\` makes it again.`);
    } finally {
      delete process.env.AKS_WI_PULUMI;
    }
  });
});
