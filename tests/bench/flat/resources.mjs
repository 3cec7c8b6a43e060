// The custom resources of a preview, as data for the flat program.

/** The engine's stand-in for a value that is not known yet, in JSON (pulumi sdk/go/common/resource/plugin, UnknownStringValue). */
const unknown = '04da6b54-80e4-46f7-96ec-b56ff0331ba9';
/** The engine's stand-in for a secret in JSON. */
const secret = '[secret]';

const options = [
  'protect',
  'retainOnDelete',
  'ignoreChanges',
  'customTimeouts',
  'additionalSecretOutputs',
  'replaceOnChanges',
];

/**
 * Returns the custom resources that a preview creates, each after those that it needs. Resources are named by their place in the
 * list. In inputs, `{ $output: 3 }` stands for an output of the fourth resource, and `{ $secret: … }` for a secret.
 *
 * @param preview parsed output of `pulumi preview --json`
 */
export function flatResources(preview) {
  const states = preview.steps.map(({ newState }) => newState).filter(({ custom }) => custom);
  const places = new Map(states.map(({ urn }, place) => [urn, place]));
  const placesOf = (urns = []) => urns.map((urn) => places.get(urn)).filter((place) => place !== undefined);
  const names = new Set();
  return states.map((state) => {
    const byInput = state.propertyDependencies ?? {};
    const used = new Set(Object.values(byInput).flat());
    const provider = places.get(state.provider?.slice(0, state.provider.lastIndexOf('::')));
    return {
      type: state.type,
      name: uniqueName(state, names),
      inputs: Object.fromEntries(
        Object.entries(state.inputs ?? {}).map(([input, value]) => [
          input,
          withOutputs(value, placesOf(byInput[input])),
        ]),
      ),
      options: Object.fromEntries(
        options.filter((option) => state[option] !== undefined).map((option) => [option, state[option]]),
      ),
      dependsOn: placesOf((state.dependencies ?? []).filter((urn) => !used.has(urn))),
      ...(provider !== undefined && { provider }),
      ...(state.deletedWith && { deletedWith: places.get(state.deletedWith) }),
    };
  });
}

/** Without components, two resources of one type may have the same name. */
function uniqueName({ type, urn }, names) {
  const name = urn.slice(urn.lastIndexOf('::') + 2);
  const key = `${type} ${name}`;
  const unique = names.has(key) ? `${name}-${names.size}` : name;
  names.add(key);
  return unique;
}

/** Replaces unknown values by outputs of the resources that the input depends on, in turn. */
function withOutputs(value, places) {
  let next = 0;
  const replaced = (part) => {
    if (part === unknown && places.length > 0) return { $output: places[next++ % places.length] };
    if (part === secret) return { $secret: 'made up for a preview' };
    if (Array.isArray(part)) return part.map(replaced);
    if (typeof part !== 'object' || part === null) return part;
    return Object.fromEntries(Object.entries(part).map(([key, inner]) => [key, replaced(inner)]));
  };
  return replaced(value);
}
