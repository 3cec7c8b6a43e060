import type { Store } from '../../store/store';
import { ArmError } from '../errors';
import { sameId } from '../resourceId';
import data from './nameRules.json';

interface NameRule {
  pattern: string;
  /** Text of the error; `{name}` stands for the name. */
  message: string;
  /** @default BadRequest */
  code?: string;
  target?: string;
  /** The error for a name that another resource has, for names that are unique in all of Azure. */
  taken?: { code: string; message: string };
}

/**
 * Rules for names by resource type. Source: MicrosoftDocs/azure-docs, resource-name-rules.md. Those with codes are from
 * recordings of azure-service-operator 2.20 (`internal/controllers/recordings`, e.g.
 * Test_AzureName_IsImmutable_IfAzureHasBeenCommunicatedWith.yaml) and from Azure/azure-powershell's test
 * Test-AzPostgreSqlFlexibleServerNameAvailability. Texts for taken names are quoted in Azure/azure-service-operator #2428, or assumed.
 */
const RULES: Readonly<Record<string, NameRule | undefined>> = data;

const textFor = (message: string, name: string): string => message.replace('{name}', () => name);

/** The error for a name that is taken; undefined if it is free, or need not be unique. */
export function takenName(store: Store, type: string, name: string): ArmError | undefined {
  const taken = RULES[type]?.taken;
  if (taken === undefined || !store.ofType(type).some((other) => sameId(other.name, name))) return undefined;
  return new ArmError(409, taken.code, textFor(taken.message, name));
}

/** The error for an invalid name; undefined if the name is valid. */
export function nameProblem(type: string, name: string): ArmError | undefined {
  const rule = RULES[type];
  if (rule === undefined || new RegExp(rule.pattern, 'u').test(name)) return undefined;
  const { message, code = 'BadRequest', target } = rule;
  return new ArmError(400, code, textFor(message, name), target === undefined ? {} : { target });
}

/** Refuses an invalid name. */
export function checkName(type: string, name: string): void {
  const problem = nameProblem(type, name);
  if (problem !== undefined) throw problem;
}
