// Writes builtInRoles.json: the actions of Azure's built-in roles that reach secrets or identities (MicrosoftDocs/azure-docs
// articles/role-based-access-control/built-in-roles). To update it:
//
//   az role definition list | node policy/builtInRoles.js
const { readFileSync, writeFileSync } = require('node:fs');
const path = require('node:path');
const { buildSync } = require('esbuild');
const { format, resolveConfig } = require('prettier');

const entry = path.join(__dirname, 'rules', 'reach.ts');
const { outputFiles } = buildSync({
  entryPoints: [entry],
  bundle: true,
  packages: 'external',
  platform: 'node',
  format: 'cjs',
  write: false,
});
module._compile(outputFiles[0].text, entry);
const { reachingActions } = module.exports;

const roles = JSON.parse(readFileSync(0, 'utf8'))
  .filter(({ roleType }) => roleType === 'BuiltInRole')
  .map(({ name, roleName, permissions }) => ({ guid: name, roleName, actions: reachingActions(permissions) }))
  .sort((a, b) => (a.guid < b.guid ? -1 : 1));
const reaching = Object.fromEntries(
  roles
    .filter(({ actions }) => actions.length > 0)
    .map(({ guid, roleName: name, actions }) => [guid, { name, actions }]),
);
const harmless = roles.filter(({ actions }) => actions.length === 0).map(({ guid }) => guid);

const file = path.join(__dirname, 'builtInRoles.json');
void (async () => {
  const text = JSON.stringify({ reaching, harmless });
  writeFileSync(file, await format(text, { ...(await resolveConfig(file)), filepath: file }));
})();
