import { textOf } from '../../components/resource/fields';
import { credentials } from './credentials';
import { pipelineIdentity } from './componentRoles';
import { type Declared, type StackRule } from './rule';

/** Issuers of GitHub Actions (github.com, Enterprise Cloud and Server) and of Azure DevOps service connections. */
const issuers = [
  /^https:\/\/token\.actions\.(githubusercontent\.com|[\w-]+\.ghe\.com)(\/[\w-]+)?$/,
  /^https:\/\/[\w.-]+\/_services\/token$/,
  /^https:\/\/login\.microsoftonline\.com\/[0-9a-f-]{36}\/v2\.0$/,
  /^https:\/\/vstoken\.dev\.azure\.com\/[\w-]+$/,
];

/** Subject of a GitHub Actions job in an environment, which restricts branches and requires approvals. */
const inEnvironment = /^repo:[^:*?]+:environment:[^:*?]+$/;
const ofGitHub = /^https:\/\/token\.actions\./;

/** Returns the name of the PipelineIdentity that a resource is in. */
const identityOf = ({ name }: Declared): string => name.split('/')[0] ?? '';

/** Only pipelines sign in as a pipeline's identity. Only jobs in an environment sign in as one that deploys. */
export const pipelineTrust: StackRule = {
  name: 'pipeline-trust',
  description:
    'A pipeline identity trusts only the issuer of its CI system, and one that deploys only jobs in an environment: otherwise any pull request could deploy.',
  checkAll(resources) {
    const own = resources.filter(({ within }) => within.includes(pipelineIdentity));
    // By name, since the role's scope is unknown before its resource group exists.
    const deploying = new Set(own.filter(({ name }) => name.endsWith('/contributor')).map(identityOf));
    return own
      .filter(({ type }) => credentials.includes(type))
      .flatMap((resource) => {
        const issuer = textOf(resource.properties.issuer);
        const subject = textOf(resource.properties.subject);
        const findings = [
          ...(issuers.some((pattern) => pattern.test(issuer))
            ? []
            : [
                `It trusts ${issuer}, which is not an issuer of GitHub Actions or Azure DevOps. Correct the issuer.`,
              ]),
          ...(deploying.has(identityOf(resource)) && ofGitHub.test(issuer) && !inEnvironment.test(subject)
            ? [
                `${identityOf(resource)} deploys, and "${subject}" names no environment: any pull request or branch could deploy with it. Set \`environment\`, and allow only main in that environment.`,
              ]
            : []),
        ];
        return findings.map((problem) => ({ resource, problem }));
      });
  },
};
