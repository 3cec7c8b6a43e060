import { textOf } from '../../stacks/offline';
import { credentials } from './credentials';
import { pipelineIdentity } from './reach';
import { type Declared, type StackRule } from './rule';

/** Issuers of GitHub Actions, of its Enterprise forms too, and of the service connections of Azure DevOps. */
const issuers = [
  /^https:\/\/token\.actions\.(githubusercontent\.com|[\w-]+\.ghe\.com)(\/[\w-]+)?$/,
  /^https:\/\/[\w.-]+\/_services\/token$/,
  /^https:\/\/login\.microsoftonline\.com\/[0-9a-f-]{36}\/v2\.0$/,
  /^https:\/\/vstoken\.dev\.azure\.com\/[\w-]+$/,
];

/** A job of GitHub Actions in an environment, which decides on branches and asks for approvals. */
const inEnvironment = /^repo:[^:*?]+:environment:[^:*?]+$/;
const ofGitHub = /^https:\/\/token\.actions\./;

/** The name of the PipelineIdentity that something is of. */
const identityOf = ({ name }: Declared): string => name.split('/')[0] ?? '';

/** What signs in as a pipeline: jobs and connections, and for what deploys none that a pull request starts. */
export const pipelineTrust: StackRule = {
  name: 'pipeline-trust',
  description:
    'A pipeline is trusted by what its system signs, and what deploys only in an environment: any pull request could deploy otherwise.',
  checkAll(resources) {
    const own = resources.filter(({ within }) => within.includes(pipelineIdentity));
    // By their names, since the roles are not known before their groups are.
    const deploying = new Set(own.filter(({ name }) => name.endsWith('/contributor')).map(identityOf));
    return own
      .filter(({ type }) => credentials.includes(type))
      .flatMap((resource) => {
        const issuer = textOf(resource.properties.issuer);
        const subject = textOf(resource.properties.subject);
        const found = [
          ...(issuers.some((one) => one.test(issuer))
            ? []
            : [`It trusts ${issuer}, which is no issuer of GitHub Actions or Azure DevOps. Correct it.`]),
          ...(deploying.has(identityOf(resource)) && ofGitHub.test(issuer) && !inEnvironment.test(subject)
            ? [
                `${identityOf(resource)} deploys, and "${subject}" is of no environment: a pull request or any branch could deploy as it. Set \`environment\`, and let that environment allow main only.`,
              ]
            : []),
        ];
        return found.map((what) => ({ resource, what }));
      });
  },
};
