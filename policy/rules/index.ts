import { credentialRules, trustedIssuer } from './credentials';
import { environmentRules } from './environment';
import { customRoles, roleRules } from './roles';
import { notJudged } from './notJudged';
import { overreach } from './overreach';
import { pipelineTrust } from './pipelines';
import type { Rule, StackRule } from './rule';
import { vaultRules } from './vaults';

export const rules: readonly Rule[] = [
  ...credentialRules,
  ...roleRules,
  ...vaultRules,
  ...environmentRules,
  notJudged,
];
export const stackRules: readonly StackRule[] = [trustedIssuer, pipelineTrust, customRoles, overreach];
