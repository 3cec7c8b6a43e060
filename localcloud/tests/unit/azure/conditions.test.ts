import type { Attributes } from '../../../azure/identity/conditions/evaluate';
import { isMet } from '../../../azure/identity/conditions/evaluate';
import { ConditionError, parseCondition } from '../../../azure/identity/conditions/parse';
import { roleDefinition } from '../../../azure/identity/roles';

const A = '4633458b-17de-408a-b874-0445c86b69e6';
const B = 'acdd72a7-3385-48ef-bd42-f606fba81ae7';
const WRITE = 'Microsoft.Authorization/roleAssignments/write';
const DELETE = 'Microsoft.Authorization/roleAssignments/delete';
const on = (source: string, attribute: string) =>
  `@${source}[Microsoft.Authorization/roleAssignments:${attribute}]`;
const role = on('Request', 'RoleDefinitionId');
const principal = on('Request', 'PrincipalId');
const type = on('Request', 'PrincipalType');
const request: Attributes = {
  Request: { RoleDefinitionId: A, PrincipalId: B, PrincipalType: 'ServicePrincipal' },
};
const write = `ActionMatches{'${WRITE}'}`;
const secret = '@Resource[Microsoft.KeyVault/vaults/secrets:name]';

describe('conditions of role assignments', () => {
  it.each([
    [`${role} GuidEquals ${A}`, true],
    [`${role} GuidEquals ${A.toUpperCase()}`, true],
    [`${role} GuidEquals ${B}`, false],
    [`${role} GuidNotEquals ${A}`, false],
    [`${role} GuidNotEquals ${B}`, true],
    [`${role} ForAnyOfAnyValues:GuidEquals {${B}, ${A}}`, true],
    [`${role} ForAnyOfAnyValues:GuidEquals{${B}}`, false],
    [`${role} ForAllOfAnyValues:GuidEquals {${B}, ${A}}`, true],
    [`${role} ForAnyOfAllValues:GuidEquals {${B}, ${A}}`, false],
    [`${role} ForAnyOfAnyValues:GuidNotEquals {${B}, ${A}}`, true],
    [`${role} ForAnyOfAllValues:GuidNotEquals {${B}, ${A}}`, false],
    [`${role} ForAllOfAllValues:GuidNotEquals {${B}}`, true],
    [`${type} StringEqualsIgnoreCase 'serviceprincipal'`, true],
    [`${type} StringNotEqualsIgnoreCase 'serviceprincipal'`, false],
    [`${type} ForAnyOfAnyValues:StringEqualsIgnoreCase {'User', 'Group'}`, false],
    [`${type} ForAnyOfAnyValues:StringEqualsIgnoreCase {'User', 'SERVICEPRINCIPAL'}`, true],
    [`${type} ForAnyOfAllValues:StringNotEqualsIgnoreCase {'User', 'Group'}`, true],
    [`${role} GuidEquals ${A} AND ${principal} GuidEquals ${B}`, true],
    [`${role} GuidEquals ${A} && ${principal} GuidEquals ${A}`, false],
    [`${role} GuidEquals ${B} OR ${principal} GuidEquals ${B}`, true],
    [`${role} GuidEquals ${B} || ${principal} GuidEquals ${A}`, false],
    [`(${role} GuidEquals ${B} AND ${principal} GuidEquals ${A}) OR ${write}`, true],
    [`${role} GuidEquals ${B} AND (${principal} GuidEquals ${A} OR ${write})`, false],
    [`!(${role} GuidEquals ${B})`, true],
    [`NOT ${role} GuidEquals ${A}`, false],
    [`!${write}`, false],
    ["ActionMatches{'microsoft.authorization/roleAssignments/*'}", true],
    ["ActionMatches{'Microsoft.Authorization/roleDefinitions/*'}", false],
    // An attribute that is not there.
    [`${on('Resource', 'PrincipalId')} GuidEquals ${B}`, false],
    [`!(${on('Resource', 'PrincipalId')} GuidEquals ${B})`, false],
    [`${on('Resource', 'PrincipalId')} GuidNotEquals ${A}`, false],
    [`${on('Resource', 'PrincipalId')} GuidEquals ${B} OR ${write}`, true],
    [`${on('Resource', 'PrincipalId')} GuidEquals ${B} AND ${write}`, false],
  ])('%s: %s', (condition, expected) => {
    expect(isMet(condition, WRITE, request)).toBe(expected);
  });

  it.each([
    [`${secret} StringEquals 'app-db'`, true],
    [`${secret} StringEquals 'App-db'`, false],
    [`${secret} StringNotEquals 'App-db'`, true],
    [`${secret} StringStartsWith 'app-'`, true],
    [`${secret} StringStartsWith 'db'`, false],
    [`${secret} StringNotStartsWith 'app-'`, false],
    [`${secret} StringEndsWith '-db'`, true],
    [`${secret} StringNotEndsWith '-db'`, false],
    [`${secret} StringContains 'p-d'`, true],
    [`${secret} StringNotContains 'x'`, true],
    [`${secret} StringLike 'a*-d?'`, true],
    [`${secret} StringLike 'a*-d'`, false],
    [`${secret} StringLike 'app.db'`, false],
    [String.raw`${secret} StringLike 'app-d\?'`, false],
    [`${secret} StringNotLike '*'`, false],
    [`@Request[Microsoft.KeyVault/vaults/secrets:name] StringNotEquals 'x'`, false],
    [`@Resource[Microsoft.KeyVault/vaults:name] StringEquals 'kv'`, true],
    [`${secret} StringEquals 'x' OR ${secret} StringEquals 'app-db'`, true],
  ])('of secrets: %s: %s', (condition, expected) => {
    const known = { Resource: { VaultName: 'kv', SecretName: 'app-db' } };
    expect(isMet(condition, 'Microsoft.KeyVault/vaults/secrets/getSecret/action', known)).toBe(expected);
  });

  it.each([
    [WRITE, { Request: { RoleDefinitionId: A } }, true],
    [WRITE, { Request: { RoleDefinitionId: B } }, false],
    [WRITE, { Resource: { RoleDefinitionId: A } }, false],
    [DELETE, { Resource: { RoleDefinitionId: A } }, true],
    [DELETE, { Resource: { RoleDefinitionId: B } }, false],
    [DELETE, { Request: { RoleDefinitionId: A } }, false],
    ['Microsoft.KeyVault/vaults/read', {}, true],
  ])('of Key Vault Data Access Administrator, for %s of %j: %s', (action, known, expected) => {
    const { condition = '' } = roleDefinition('8b54135c-b56d-4d72-a534-26097cfdc8d8')?.permission ?? {};
    expect(isMet(condition, action, known)).toBe(expected);
  });

  it.each([
    ['', 'invalid', 'ends too early'],
    [`(${write}`, 'invalid', 'ends too early'],
    [`${write})`, 'invalid', "')' is not expected"],
    [`${write} ${write}`, 'invalid', "'ActionMatches' is not expected"],
    [`${write} AND ${write} OR ${write}`, 'invalid', 'parentheses'],
    [`${write} XOR ${write}`, 'invalid', "'XOR' is not expected"],
    [`ActionMatches{${A}}`, 'invalid', 'an action in quotes is needed'],
    [`ActionMatches{'a', 'b'}`, 'invalid', "','"],
    [`${role} GuidEquals '${A}'`, 'invalid', 'a GUID without quotes is needed'],
    [`${role} GuidEquals {${A}}`, 'invalid', "'{' is not a value"],
    [`${role} ForAnyOfAnyValues:GuidEquals ${A}`, 'invalid', "'{' is needed"],
    [`${role} ForAnyOfAnyValues:GuidEquals {}`, 'invalid', "'}' is not a value"],
    [`${type} StringEqualsIgnoreCase User`, 'invalid', 'a text in quotes is needed'],
    [`${role} # `, 'invalid', "'#' is not understood"],
    ['('.repeat(8192), 'notEvaluated', 'more than 100 levels'],
    ['true', 'notEvaluated', "'true'"],
    [`Exists ${role}`, 'notEvaluated', "'Exists'"],
    [`!(${write} AND SubOperationMatches{'Blob.List'})`, 'notEvaluated', "'SubOperationMatches'"],
    [`${role} StringEqualsIgnoreCase 'x'`, 'notEvaluated', "'StringEqualsIgnoreCase' for RoleDefinitionId"],
    [`${type} StringEquals 'User'`, 'notEvaluated', "'StringEquals' for PrincipalType"],
    [`${type} GuidEquals ${A}`, 'notEvaluated', "'GuidEquals' for PrincipalType"],
    [`${principal} GuidEquals @Principal[x:id]`, 'notEvaluated', "'@Principal[x:id]' as a value"],
    [`${secret} StringEqualsIgnoreCase 'x'`, 'notEvaluated', "'StringEqualsIgnoreCase' for SecretName"],
    [`${secret} ForAnyOfAnyValues:StringEquals {'x'}`, 'notEvaluated', "'ForAnyOfAnyValues:StringEquals'"],
    [`${secret} StringEquals x`, 'invalid', 'a text in quotes is needed'],
    [
      "@Resource[Microsoft.KeyVault/vaults/keys:name] StringEquals 'x'",
      'notEvaluated',
      "'@Resource[Microsoft.KeyVault/vaults/keys:name]'",
    ],
    ["@Environment[UtcNow] DateTimeLessThan '2030-01-01'", 'notEvaluated', "'@Environment[UtcNow]'"],
    [`${on('Principal', 'PrincipalId')} GuidEquals ${A}`, 'notEvaluated', "'@Principal["],
  ])('refuses %s', (condition, reason, message) => {
    let thrown: unknown;
    try {
      parseCondition(condition);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(ConditionError);
    expect(thrown).toMatchObject({ reason, message: expect.stringContaining(message) as string });
  });
});
