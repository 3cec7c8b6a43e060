import { ArmError } from '../errors';
import data from './nameRules.json';

interface NameRule {
  pattern: string;
  /** Text of the error; `{name}` stands for the name. */
  message: string;
  /** @default BadRequest */
  code?: string;
  target?: string;
}

/**
 * Rules for names by resource type. Source: MicrosoftDocs/azure-docs, resource-name-rules.md. Those with codes are from
 * recordings of azure-service-operator 2.20 (`internal/controllers/recordings`, e.g.
 * Test_AzureName_IsImmutable_IfAzureHasBeenCommunicatedWith.yaml) and from Azure/azure-powershell's test
 * Test-AzPostgreSqlFlexibleServerNameAvailability.
 */
const RULES: Readonly<Record<string, NameRule | undefined>> = data;

/** The error for an invalid name; undefined if the name is valid. */
export function nameProblem(type: string, name: string): ArmError | undefined {
  const rule = RULES[type];
  if (rule === undefined || new RegExp(rule.pattern, 'u').test(name)) return undefined;
  const { message, code = 'BadRequest', target } = rule;
  return new ArmError(
    400,
    code,
    message.replace('{name}', () => name),
    target === undefined ? {} : { target },
  );
}

/** Refuses an invalid name. */
export function checkName(type: string, name: string): void {
  const problem = nameProblem(type, name);
  if (problem !== undefined) throw problem;
}
