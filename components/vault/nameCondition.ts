import { longestCondition } from '../azure/assignmentCondition';

/** All data actions of Key Vault Secrets User. Neither may be allowed for other secrets: the second lists their names. */
const actions = ['getSecret', 'readMetadata'];

/**
 * Returns the condition of an assignment of Key Vault Secrets User on a vault: its holder may read exactly these secrets
 * (azure-security-docs articles/key-vault/general/rbac-abac.md, in preview since 2026-07).
 */
export function onlySecrets(names: readonly string[]): string {
  return conditionOn([...new Set(names)].sort());
}

function conditionOn(names: readonly string[]): string {
  const others = actions.map(
    (name) => `!(ActionMatches{'Microsoft.KeyVault/vaults/secrets/${name}/action'})`,
  );
  const named = names.map(
    (name) => `@Resource[Microsoft.KeyVault/vaults/secrets:name] StringEquals '${name}'`,
  );
  return `((${others.join(' AND ')}) OR (${named.join(' OR ')}))`;
}

/**
 * Returns the secrets to which a condition limits Key Vault Secrets User, or undefined if it does not have exactly the form of
 * `onlySecrets`: any other form may allow more than it seems to.
 */
export function secretsNamedBy(condition: string): string[] | undefined {
  const plain = condition.replace(/\s+/g, ' ').replace(/\( /g, '(').replace(/ \)/g, ')').trim();
  const names = [...plain.matchAll(/ StringEquals '([\dA-Za-z-]+)'/g)].map(([, name = '']) => name);
  return names.length > 0 && conditionOn(names) === plain ? names : undefined;
}

/** Returns the reason why no condition can name these secrets; undefined if one can. */
export function nameConditionProblem(
  names: readonly string[],
): { readonly reason: string; readonly allowed: string } | undefined {
  // Azure does not document whether it compares the spelling of the request or that of the vault. In lower case, both agree.
  const other = names.find((name) => !/^[\da-z-]+$/.test(name));
  if (other !== undefined)
    return {
      reason: `conditions compare names case-sensitively, and ${other} is not in lower case`,
      allowed: 'names of secrets in lower case',
    };
  const { length } = onlySecrets(names);
  return length <= longestCondition
    ? undefined
    : {
        reason: `a condition that names ${new Set(names).size} secrets exceeds the length that Azure allows`,
        allowed: `a condition of ${longestCondition} characters; this one has ${length}`,
      };
}
