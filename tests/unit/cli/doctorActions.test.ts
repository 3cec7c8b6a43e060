import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { actionsOf, roleFor } from '../../../cli/doctor/actions';
import { projectRoot } from '../../support/command';

it('a binding needs the right to write its credential', () => {
  expect(actionsOf(['azure-native:containerservice:IdentityBinding'])).toContain(
    'Microsoft.ManagedIdentity/userAssignedIdentities/federatedIdentityCredentials/write',
  );
});

it('the role for assignments is the narrowest', () => {
  expect(roleFor('Microsoft.Authorization/roleAssignments/write')).toBe(
    'Role Based Access Control Administrator',
  );
});

it('knows the action of each type that the components create', () => {
  const folder = path.join(projectRoot, 'components');
  const tokens = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => {
      const text = readFileSync(path.join(folder, file), 'utf8');
      const imports = [...text.matchAll(/^import \{([^}]*)\} from '@pulumi\/azure-native\/(\w+)'/gm)];
      return imports.flatMap(([, names = '', module = '']) =>
        names.split(',').flatMap((name) => {
          const [, original = '', local = original] = /^\s*(\w+)(?: as (\w+))?\s*$/.exec(name) ?? [];
          const isCreated = new RegExp(`\\bnew ${local}\\(`).test(text) && module !== 'provider';
          return isCreated ? `azure-native:${module}:${original}` : [];
        }),
      );
    });
  expect(tokens.length).toBeGreaterThan(10);
  expect([...new Set(tokens)].filter((token) => actionsOf([token]).length === 0)).toEqual([]);
});
