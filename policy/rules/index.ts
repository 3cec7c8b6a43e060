import { credentialRules, trustedIssuer } from './credentials';
import { environmentRules } from './environment';
import { customRoles, roleRules } from './roles';
import type { Rule, StackRule } from './rule';
import { vaultRules } from './vaults';

export const rules: readonly Rule[] = [...credentialRules, ...roleRules, ...vaultRules, ...environmentRules];
export const stackRules: readonly StackRule[] = [trustedIssuer, customRoles];
