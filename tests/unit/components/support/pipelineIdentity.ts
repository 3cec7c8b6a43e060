import { group, guidOf } from './azure';

/** Arguments of PipelineIdentity. @param made where it is made */
export const pipelineIdentityArguments = (created: object) => ({
  PipelineIdentity: {
    create: { ...created, identityName: 'id-pipeline', retainOnDelete: false },
    trusts: [
      {
        name: 'github',
        gitHub: {
          ...{ repository: 'contoso/identities', ids: { owner: 1, repository: 2 } },
          ...{ environment: 'dev', issuer: 'https://issuer.example' },
        },
      },
      { name: 'devops', serviceConnection: { issuer: 'https://issuer.example', subject: 'sc://a/b/c' } },
    ],
    resourceGroups: [{ name: 'rg', id: group }],
    ...{ access: 'deploy', assignableRoles: [guidOf('role')], assignableToGroups: true },
  },
});
