import type { Input } from './settings';

/** Consents to a namespace that another application has on one of its clusters. */
export function withConsent(application: Input, _: number, all: readonly Input[]): Input {
  const spaceOf = ({ name, namespace = name }: Input) =>
    typeof namespace === 'object' ? (namespace as Input).name : namespace;
  const clustersOf = ({ clusters }: Input) => clusters as string[] | undefined;
  const shares = all.some(
    (other) =>
      other !== application &&
      spaceOf(other) === spaceOf(application) &&
      (clustersOf(other)?.some((name) => clustersOf(application)?.includes(name) ?? true) ?? true),
  );
  return { ...application, ...(shares && { sharedNamespace: 'accepted' }) };
}
