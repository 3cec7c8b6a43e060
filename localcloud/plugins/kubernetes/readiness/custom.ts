import type { Json } from '../json';
import { isJsonObject } from '../json';
import type { ReadinessCheck } from './readiness';
import { isReady, notReady, untilCondition } from './readiness';

const allowed = 'condition=<type>[=<status>], jsonpath={.path.to.field}[=<value>], or a JSON list of these';

/** Returns the check for a `pulumi.com/waitFor` annotation. */
export function customCheck(annotation: string): ReadinessCheck {
  const checks = expressions(annotation).map(single);
  return async (observation) => {
    for (const check of checks) {
      const readiness = await check(observation);
      if (!readiness.ready) return readiness;
    }
    return isReady;
  };
}

function expressions(annotation: string): string[] {
  if (!annotation.trimStart().startsWith('[')) return [annotation];
  const list = JSON.parse(annotation) as Json;
  if (Array.isArray(list) && list.every((item) => typeof item === 'string')) return list;
  throw refusal(annotation);
}

function single(expression: string): ReadinessCheck {
  const condition = /^condition=([^=]+)(?:=(.+))?$/.exec(expression);
  if (condition?.[1] !== undefined) return untilCondition(condition[1], condition[2] ?? 'True');
  const path = /^jsonpath=\{?\.([^={}]+)\}?(?:=(.+))?$/.exec(expression);
  if (path?.[1] !== undefined) return untilField(path[1], path[2]);
  throw refusal(expression);
}

function untilField(path: string, expected: string | undefined): ReadinessCheck {
  const steps = path.split(/[.[\]]+/).filter((step) => step !== '');
  const progress = `waiting for ${path}${expected === undefined ? '' : `=${expected}`}`;
  return ({ object }) => {
    const value = steps.reduce<Json | undefined>(step, object);
    if (expected === undefined ? value !== undefined && value !== null : shown(value) === expected)
      return isReady;
    return notReady(progress, `${path} is ${shown(value) || 'not set'}`);
  };
}

function step(value: Json | undefined, key: string): Json | undefined {
  if (Array.isArray(value)) return value[Number(key)];
  return isJsonObject(value) ? value[key] : undefined;
}

function shown(value: Json | undefined): string {
  return typeof value === 'string'
    ? value
    : value === undefined || value === null
      ? ''
      : JSON.stringify(value);
}

function refusal(expression: string): Error {
  return new Error(`annotation pulumi.com/waitFor is '${expression}'; allowed are ${allowed}`);
}
