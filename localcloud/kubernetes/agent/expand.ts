/**
 * Expands `$(NAME)` as Kubernetes does in `env`, `command` and `args`: `$$` becomes `$`, and references to
 * unknown names stay unchanged.
 * https://kubernetes.io/docs/reference/kubernetes-api/workload-resources/pod-v1/#entrypoint
 */
export function expand(text: string, variables: Readonly<Record<string, string>>): string {
  return text.replace(/\$\$|\$\(([^()]*)\)/g, (match, name: string | undefined) => {
    if (name === undefined) return '$';
    return Object.hasOwn(variables, name) ? (variables[name] ?? match) : match;
  });
}
