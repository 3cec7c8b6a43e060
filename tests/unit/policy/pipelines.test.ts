import { pipelineTrust } from '../../../policy/rules/pipelines';
import { trustedIssuer } from '../../../policy/rules/credentials';
import type { Declared } from '../../../policy/rules/rule';
import { nobody, usual } from './found';

// Who may sign in as a pipeline. What it may be assigned and may assign, no-powerful-role decides: roles.test.ts. The golden of
// bootstrap shows that its example has no finding.

const within = ['aks-workload-identity:identity:PipelineIdentity'];
const gitHub = 'https://token.actions.githubusercontent.com';
const credential = (subject: string, issuer = gitHub, name = 'id-a/github'): Declared => ({
  ...{ type: 'azure-native:managedidentity:FederatedIdentityCredential', name, isCustom: true },
  within: [...within, 'aks-workload-identity:identity:ManagedIdentity'],
  properties: { issuer, subject },
});
const role = (name: string): Declared => ({
  ...{ type: 'azure-native:authorization:RoleAssignment', name, isCustom: true, within, properties: {} },
});
const deploys = role('id-a/rg-a/contributor');
const found = (...resources: Declared[]) =>
  pipelineTrust.checkAll(resources, usual, nobody).map(({ problem }) => problem);

it.each([
  ['an environment of GitHub', 'repo:owner/name:environment:prod', gitHub],
  ['one with ids', 'repo:owner@1/name@2:environment:prod', gitHub],
  ['an enterprise of GitHub', 'repo:owner/name:environment:prod', 'https://token.actions.contoso.ghe.com'],
  ['a server of GitHub', 'repo:o/n:environment:prod', 'https://git.contoso.test/_services/token'],
  [
    'a connection of Azure DevOps',
    '/eid1/c/pub/t/x/a/y/sc/z',
    'https://login.microsoftonline.com/72f988bf-86f1-41af-91ab-2d7cd011db47/v2.0',
  ],
  ['an older connection', 'sc://contoso/p/c', 'https://vstoken.dev.azure.com/contoso'],
])('what deploys may trust %s', (_, subject, issuer) => {
  expect(found(deploys, credential(subject, issuer))).toEqual([]);
});

it('what previews may trust pull requests, beside what deploys', () => {
  const preview = credential('repo:owner/name:pull_request', gitHub, 'id-preview/github');
  expect(found(deploys, preview, role('id-preview/rg-a/reader'))).toEqual([]);
});

it.each([
  ['repo:owner/name:pull_request'],
  ['repo:owner/name:ref:refs/heads/main'],
  ['repo:owner/name:environment:*'],
  ['repo:owner/*:environment:prod'],
])('what deploys may not trust %s', (subject) => {
  expect(found(credential(subject), deploys)).toEqual([
    expect.stringContaining(`id-a deploys, and "${subject}" names no environment: `),
  ]);
});

it.each([['https://issuer.test'], ['https://token.actions.githubusercontent.com.evil.test']])(
  'no pipeline may trust the issuer %s',
  (issuer) => {
    expect(found(credential('repo:owner/name:environment:prod', issuer))).toEqual([
      expect.stringContaining(
        `It trusts ${issuer}, which is not an issuer of GitHub Actions or Azure DevOps.`,
      ),
    ]);
  },
);

it('trusted-issuer leaves the credentials of pipelines to this rule, and no others', () => {
  const pipeline = credential('repo:owner/name:environment:prod');
  expect(trustedIssuer.checkAll([pipeline], usual, nobody)).toEqual([]);
  expect(found({ ...pipeline, within: [] })).toEqual([]);
  expect(trustedIssuer.checkAll([{ ...pipeline, within: [] }], usual, nobody)).toHaveLength(1);
});
